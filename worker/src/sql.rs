//! The store's SQL trait on a Durable Object's own SQLite.
//!
//! Owns the bridge to `transactionSync`, which `worker` does not bind and which is the only way to a transaction here:
//! `BEGIN` through `exec` is refused. It rolls back when its callback throws.

use holdpoint_store::{Row, Sql, SqlError, Value};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast as _, JsValue};
use worker::{SqlStorage, SqlStorageValue, State};

#[wasm_bindgen]
extern "C" {
    type SyncStorage;

    #[wasm_bindgen(method, catch, js_name = transactionSync)]
    fn transaction_sync(
        this: &SyncStorage,
        body: &mut dyn FnMut() -> Result<JsValue, JsValue>,
    ) -> Result<JsValue, JsValue>;
}

/// The database of one object.
pub struct ObjectSql {
    sql: SqlStorage,
    storage: SyncStorage,
}

impl ObjectSql {
    /// The database of the object with this state.
    pub fn new(state: &State) -> Self {
        let storage = state.storage();
        let raw: &JsValue = storage.as_raw().as_ref();
        Self { sql: storage.sql(), storage: raw.clone().unchecked_into() }
    }
}

impl Sql for ObjectSql {
    fn execute(&self, sql: &str, params: &[Value]) -> Result<(), SqlError> {
        self.sql.exec(sql, bindings(params)).map(drop).map_err(refused)
    }

    fn query(&self, sql: &str, params: &[Value]) -> Result<Vec<Row>, SqlError> {
        let cursor = self.sql.exec(sql, bindings(params)).map_err(refused)?;
        cursor
            .raw()
            .map(|row| {
                row.map_err(refused).and_then(|row| row.into_iter().map(value).collect::<Result<_, _>>().map(Row))
            })
            .collect()
    }

    fn transaction<T, E: From<SqlError>>(&self, body: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let mut body = Some(body);
        let mut result = None;
        let ended = self.storage.transaction_sync(&mut || {
            let Some(body) = body.take() else { return Err(JsValue::from_str("called twice")) };
            let done = body();
            let rolled_back = done.is_err();
            result = Some(done);
            if rolled_back { Err(JsValue::from_str("rolled back")) } else { Ok(JsValue::UNDEFINED) }
        });
        match (result, ended) {
            (Some(Err(error)), _) => Err(error),
            (Some(Ok(done)), Ok(_)) => Ok(done),
            (_, Err(error)) => Err(SqlError(format!("a transaction failed: {error:?}")).into()),
            (None, Ok(_)) => Err(SqlError("a transaction never ran".to_owned()).into()),
        }
    }
}

fn bindings(params: &[Value]) -> Vec<SqlStorageValue> {
    params
        .iter()
        .map(|param| match param {
            Value::Null => SqlStorageValue::Null,
            Value::Integer(n) => SqlStorageValue::Integer(*n),
            Value::Text(text) => SqlStorageValue::String(text.clone()),
            Value::Blob(bytes) => SqlStorageValue::Blob(bytes.clone()),
        })
        .collect()
}

fn value(column: SqlStorageValue) -> Result<Value, SqlError> {
    match column {
        SqlStorageValue::Null => Ok(Value::Null),
        SqlStorageValue::Integer(n) => Ok(Value::Integer(n)),
        SqlStorageValue::String(text) => Ok(Value::Text(text)),
        SqlStorageValue::Blob(bytes) => Ok(Value::Blob(bytes)),
        SqlStorageValue::Boolean(_) | SqlStorageValue::Float(_) => {
            Err(SqlError("a column holds a number that is no integer".to_owned()))
        }
    }
}

#[allow(clippy::needless_pass_by_value)]
fn refused(error: worker::Error) -> SqlError {
    SqlError(error.to_string())
}
