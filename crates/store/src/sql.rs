//! SQLite behind three methods, so that one set of statements runs on a Durable Object and natively (DESIGN §2
//! "One SQL").
//!
//! Owns the value type and row access; knows no driver. Invariant: what [`Sql::transaction`]'s body wrote is kept whole
//! when it answers `Ok` and is gone whole when it answers `Err`; a driver refuses nesting or never sees it.

/// What SQLite stores. Integers stay within ±(2⁵³−1), which is what the edge's driver can carry: a larger one is stored
/// as that, for a row that cannot be read would be worse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    Null,
    Integer(i64),
    Text(String),
    Blob(Vec<u8>),
}

/// A statement that SQLite refused, or a row that does not have the shape of the schema: a fault of ours or of the disk.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the database refused: {0}")]
pub struct SqlError(pub String);

/// SQLite's result codes, as its drivers put them into their words behind `SQLITE_`.
const RESULT_CODES: [&str; 10] =
    ["auth", "busy", "constraint", "corrupt", "error", "full", "ioerr", "limit", "nomem", "toobig"];

impl SqlError {
    /// What may be logged of it: SQLite's result code, or `sql`. The words may quote what a row holds; this never does.
    pub fn code(&self) -> &'static str {
        let named = self.0.split("SQLITE_").nth(1).unwrap_or_default().to_ascii_lowercase();
        RESULT_CODES.into_iter().find(|code| named.starts_with(code)).unwrap_or("sql")
    }
}

/// One row, in the order of the selected columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row(pub Vec<Value>);

pub trait Sql {
    /// Runs one statement that gives no rows.
    fn execute(&self, sql: &str, params: &[Value]) -> Result<(), SqlError>;

    /// Runs one statement and reads all its rows.
    fn query(&self, sql: &str, params: &[Value]) -> Result<Vec<Row>, SqlError>;

    /// Runs `body` in one transaction: committed on `Ok`, rolled back on `Err`. Never nested.
    fn transaction<T, E: From<SqlError>>(&self, body: impl FnOnce() -> Result<T, E>) -> Result<T, E>;

    /// The first row of a query, if there is one.
    fn first(&self, sql: &str, params: &[Value]) -> Result<Option<Row>, SqlError> {
        Ok(self.query(sql, params)?.into_iter().next())
    }
}

impl<S: Sql> Sql for &S {
    fn execute(&self, sql: &str, params: &[Value]) -> Result<(), SqlError> {
        (**self).execute(sql, params)
    }

    fn query(&self, sql: &str, params: &[Value]) -> Result<Vec<Row>, SqlError> {
        (**self).query(sql, params)
    }

    fn transaction<T, E: From<SqlError>>(&self, body: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        (**self).transaction(body)
    }
}

/// A Rust value of one column.
pub trait Column: Sized {
    /// Reads a column; `None` when the column holds something else.
    fn read(value: &Value) -> Option<Self>;
}

impl Column for i64 {
    fn read(value: &Value) -> Option<Self> {
        if let Value::Integer(n) = value { Some(*n) } else { None }
    }
}

impl Column for u64 {
    fn read(value: &Value) -> Option<Self> {
        i64::read(value).and_then(|n| u64::try_from(n).ok())
    }
}

impl Column for u32 {
    fn read(value: &Value) -> Option<Self> {
        i64::read(value).and_then(|n| u32::try_from(n).ok())
    }
}

impl Column for bool {
    fn read(value: &Value) -> Option<Self> {
        i64::read(value).map(|n| n != 0)
    }
}

impl Column for String {
    fn read(value: &Value) -> Option<Self> {
        if let Value::Text(text) = value { Some(text.clone()) } else { None }
    }
}

impl Column for Vec<u8> {
    fn read(value: &Value) -> Option<Self> {
        if let Value::Blob(bytes) = value { Some(bytes.clone()) } else { None }
    }
}

impl<T: Column> Column for Option<T> {
    fn read(value: &Value) -> Option<Self> {
        if *value == Value::Null { Some(None) } else { T::read(value).map(Some) }
    }
}

impl Row {
    /// The column at `index`, as `T`.
    pub fn get<T: Column>(&self, index: usize) -> Result<T, SqlError> {
        self.0
            .get(index)
            .and_then(T::read)
            .ok_or_else(|| SqlError(format!("column {index} does not hold what the schema says")))
    }
}

/// The largest integer that every driver carries.
pub(crate) const MAX_INTEGER: i64 = (1 << 53) - 1;

impl From<i64> for Value {
    fn from(n: i64) -> Self {
        Self::Integer(n.clamp(-MAX_INTEGER, MAX_INTEGER))
    }
}

impl From<u64> for Value {
    fn from(n: u64) -> Self {
        Self::Integer(i64::try_from(n).map_or(MAX_INTEGER, |n| n.min(MAX_INTEGER)))
    }
}

impl From<u32> for Value {
    fn from(n: u32) -> Self {
        Self::Integer(i64::from(n))
    }
}

impl From<bool> for Value {
    fn from(yes: bool) -> Self {
        Self::Integer(i64::from(yes))
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<&String> for Value {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&[u8]> for Value {
    fn from(bytes: &[u8]) -> Self {
        Self::Blob(bytes.to_vec())
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// Parameters of a statement: `params![a, b]`.
macro_rules! params {
    ($($value:expr),* $(,)?) => { &[$($crate::sql::Value::from($value)),*] };
}
pub(crate) use params;

#[cfg(test)]
mod tests {
    use super::SqlError;

    #[test]
    fn a_cause_never_quotes_the_words() {
        for (words, code) in [
            ("Error: UNIQUE constraint failed: turn.user_id: SQLITE_CONSTRAINT", "constraint"),
            ("string or blob too big: SQLITE_TOOBIG", "toobig"),
            ("SQLITE_SECRET words of a person", "sql"),
            ("a JSON column does not hold its shape: invalid type: string \"def run():\"", "sql"),
        ] {
            assert_eq!(SqlError(words.to_owned()).code(), code);
        }
    }
}
