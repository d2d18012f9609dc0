//! The native driver of the store's tests: rusqlite in memory.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a test stops where its ground gives way

use std::cell::RefCell;

use holdpoint_store::{Row, Sql, SqlError, Value};
use rusqlite::types::{ToSqlOutput, Type, ValueRef};
use rusqlite::{Connection, ToSql, params_from_iter};

/// SQLite in memory.
pub struct Native(RefCell<Connection>);

struct Param<'a>(&'a Value);

impl ToSql for Param<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self.0 {
            Value::Null => ValueRef::Null,
            Value::Integer(n) => ValueRef::Integer(*n),
            Value::Text(text) => ValueRef::Text(text.as_bytes()),
            Value::Blob(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

#[allow(clippy::needless_pass_by_value)]
fn refused(error: rusqlite::Error) -> SqlError {
    SqlError(error.to_string())
}

impl Native {
    /// An empty database.
    pub fn new() -> Self {
        let connection = Connection::open_in_memory().unwrap();
        connection.set_prepared_statement_cache_capacity(256);
        Self(RefCell::new(connection))
    }

    /// The whole database as bytes.
    #[allow(dead_code)] // not every test that shares this file looks at bytes
    pub fn bytes(&self) -> Vec<u8> {
        self.0.borrow_mut().serialize(rusqlite::MAIN_DB).unwrap().to_vec()
    }
}

/// Values that a statement may carry in a Durable Object ("Maximum number of bound parameters per query").
const MAX_PARAMETERS: usize = 100;

impl Sql for Native {
    fn execute(&self, sql: &str, params: &[Value]) -> Result<(), SqlError> {
        assert!(params.len() <= MAX_PARAMETERS, "{} values: {sql}", params.len());
        let connection = self.0.borrow();
        let mut statement = connection.prepare_cached(sql).map_err(refused)?;
        statement.execute(params_from_iter(params.iter().map(Param))).map(drop).map_err(refused)
    }

    fn query(&self, sql: &str, params: &[Value]) -> Result<Vec<Row>, SqlError> {
        assert!(params.len() <= MAX_PARAMETERS, "{} values: {sql}", params.len());
        let connection = self.0.borrow();
        let mut statement = connection.prepare_cached(sql).map_err(refused)?;
        let columns = statement.column_count();
        let rows = statement.query_map(params_from_iter(params.iter().map(Param)), |row| {
            (0..columns)
                .map(|index| {
                    Ok(match row.get_ref(index)? {
                        ValueRef::Null => Value::Null,
                        // The edge's driver carries integers as JavaScript's numbers.
                        ValueRef::Integer(n) if n.unsigned_abs() < 1 << 53 => Value::Integer(n),
                        ValueRef::Integer(n) => {
                            return Err(rusqlite::Error::IntegralValueOutOfRange(index, n));
                        }
                        ValueRef::Real(_) => {
                            return Err(rusqlite::Error::InvalidColumnType(index, String::new(), Type::Real));
                        }
                        ValueRef::Text(text) => Value::Text(String::from_utf8_lossy(text).into_owned()),
                        ValueRef::Blob(bytes) => Value::Blob(bytes.to_vec()),
                    })
                })
                .collect::<rusqlite::Result<Vec<_>>>()
                .map(Row)
        });
        rows.map_err(refused)?.collect::<rusqlite::Result<Vec<_>>>().map_err(refused)
    }

    fn transaction<T, E: From<SqlError>>(&self, body: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        self.0.borrow().execute_batch("BEGIN").map_err(refused)?;
        let result = body();
        let end = if result.is_ok() { "COMMIT" } else { "ROLLBACK" };
        self.0.borrow().execute_batch(end).map_err(refused)?;
        result
    }
}
