//! The reserved words of ADQL 2.1.

/// `<SQL_reserved_word>` and `<ADQL_reserved_word>` of ADQL 2.1, appendix A, sorted. `END-EXEC` is
/// left out: no identifier can be spelt so.
#[rustfmt::skip]
const RESERVED: &[&str] = &[
    "ABS", "ABSOLUTE", "ACOS", "ACTION", "ADD", "ALL", "ALLOCATE", "ALTER", "AND", "ANY", "ARE",
    "AREA", "AS", "ASC", "ASIN", "ASSERTION", "AT", "ATAN", "ATAN2", "AUTHORIZATION", "AVG",
    "BEGIN", "BETWEEN", "BIGINT", "BIT", "BIT_LENGTH", "BOTH", "BOX", "BY", "CASCADE", "CASCADED",
    "CASE", "CAST", "CATALOG", "CEILING", "CENTROID", "CHAR", "CHARACTER", "CHARACTER_LENGTH",
    "CHAR_LENGTH", "CHECK", "CIRCLE", "CLOSE", "COALESCE", "COLLATE", "COLLATION", "COLUMN",
    "COMMIT", "CONNECT", "CONNECTION", "CONSTRAINT", "CONSTRAINTS", "CONTAINS", "CONTINUE",
    "CONVERT", "COORD1", "COORD2", "COORDSYS", "CORRESPONDING", "COS", "COT", "COUNT", "CREATE",
    "CROSS", "CURRENT", "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "CURRENT_USER",
    "CURSOR", "DATE", "DAY", "DEALLOCATE", "DECIMAL", "DECLARE", "DEFAULT", "DEFERRABLE",
    "DEFERRED", "DEGREES", "DELETE", "DESC", "DESCRIBE", "DESCRIPTOR", "DIAGNOSTICS", "DISCONNECT",
    "DISTANCE", "DISTINCT", "DOMAIN", "DOUBLE", "DROP", "ELSE", "END", "ESCAPE", "EXCEPT",
    "EXCEPTION", "EXEC", "EXECUTE", "EXISTS", "EXP", "EXTERNAL", "EXTRACT", "FALSE", "FETCH",
    "FIRST", "FLOAT", "FLOOR", "FOR", "FOREIGN", "FOUND", "FROM", "FULL", "GET", "GLOBAL", "GO",
    "GOTO", "GRANT", "GROUP", "HAVING", "HOUR", "IDENTITY", "ILIKE", "IMMEDIATE", "IN", "INDICATOR",
    "INITIALLY", "INNER", "INPUT", "INSENSITIVE", "INSERT", "INT", "INTEGER", "INTERSECT",
    "INTERSECTS", "INTERVAL", "INTO", "IN_UNIT", "IS", "ISOLATION", "JOIN", "KEY", "LANGUAGE",
    "LAST", "LEADING", "LEFT", "LEVEL", "LIKE", "LOCAL", "LOG", "LOG10", "LOWER", "MATCH", "MAX",
    "MIN", "MINUTE", "MOD", "MODULE", "MONTH", "NAMES", "NATIONAL", "NATURAL", "NCHAR", "NEXT",
    "NO", "NOT", "NULL", "NULLIF", "NUMERIC", "OCTET_LENGTH", "OF", "OFFSET", "ON", "ONLY", "OPEN",
    "OPTION", "OR", "ORDER", "OUTER", "OUTPUT", "OVERLAPS", "PAD", "PARTIAL", "PI", "POINT",
    "POLYGON", "POSITION", "POWER", "PRECISION", "PREPARE", "PRESERVE", "PRIMARY", "PRIOR",
    "PRIVILEGES", "PROCEDURE", "PUBLIC", "RADIANS", "RAND", "READ", "REAL", "REFERENCES", "REGION",
    "RELATIVE", "RESTRICT", "REVOKE", "RIGHT", "ROLLBACK", "ROUND", "ROWS", "SCHEMA", "SCROLL",
    "SECOND", "SECTION", "SELECT", "SESSION", "SESSION_USER", "SET", "SIN", "SIZE", "SMALLINT",
    "SOME", "SPACE", "SQL", "SQLCODE", "SQLERROR", "SQLSTATE", "SQRT", "SUBSTRING", "SUM",
    "SYSTEM_USER", "TABLE", "TAN", "TEMPORARY", "THEN", "TIME", "TIMESTAMP", "TIMEZONE_HOUR",
    "TIMEZONE_MINUTE", "TO", "TOP", "TRAILING", "TRANSACTION", "TRANSLATE", "TRANSLATION", "TRIM",
    "TRUE", "TRUNCATE", "UNION", "UNIQUE", "UNKNOWN", "UPDATE", "UPPER", "USAGE", "USER", "USING",
    "VALUE", "VALUES", "VARCHAR", "VARYING", "VIEW", "WHEN", "WHENEVER", "WHERE", "WITH", "WORK",
    "WRITE", "YEAR", "ZONE",
];

/// The length of the longest reserved word.
const LONGEST: usize = 17;

/// Whether `word`, in any case, may not be a name without double quotes.
#[must_use]
pub fn is_reserved(word: &str) -> bool {
    let bytes = word.as_bytes();
    let mut upper = [0_u8; LONGEST];
    let Some(slot) = upper.get_mut(..bytes.len()) else {
        return false;
    };
    slot.copy_from_slice(bytes);
    slot.make_ascii_uppercase();
    let upper = &*slot;
    RESERVED
        .binary_search_by(|reserved| reserved.as_bytes().cmp(upper))
        .is_ok()
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, RESERVED, is_reserved};

    #[test]
    fn the_list_is_sorted_and_its_longest_word_is_known() {
        assert!(RESERVED.is_sorted());
        assert_eq!(RESERVED.iter().map(|word| word.len()).max(), Some(LONGEST));
    }

    #[test]
    fn words_are_matched_whole_and_in_any_case() {
        for word in [
            "select",
            "Distance",
            "OFFSET",
            "ilike",
            "size",
            "in_unit",
            "timezone_minute",
        ] {
            assert!(is_reserved(word), "{word}");
        }
        for word in [
            "",
            "sel",
            "selects",
            "ra",
            "limit",
            "s_region",
            "é",
            "averyveryverylongname",
        ] {
            assert!(!is_reserved(word), "{word}");
        }
    }
}
