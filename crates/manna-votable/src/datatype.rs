//! `datatype` and `arraysize` of a FIELD or PARAM: as written, and as read.

/// The `datatype` attribute (VOTable 1.5, section 2.1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Datatype {
    /// `boolean`
    Boolean,
    /// `bit`
    Bit,
    /// `unsignedByte`
    UnsignedByte,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `long`
    Long,
    /// `char`; also a missing datatype
    Char,
    /// `unicodeChar`
    UnicodeChar,
    /// `float`
    Float,
    /// `double`
    Double,
    /// `floatComplex`
    FloatComplex,
    /// `doubleComplex`
    DoubleComplex,
    /// Anything else, as written. Names other systems use (`integer`, `unsignedInt`, ...) are read as what they mean,
    /// the rest as text.
    Other(String),
}

impl Datatype {
    /// Reads the attribute's text.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        match text.trim() {
            "boolean" => Self::Boolean,
            "bit" => Self::Bit,
            "unsignedByte" => Self::UnsignedByte,
            "short" => Self::Short,
            "int" => Self::Int,
            "long" => Self::Long,
            "char" => Self::Char,
            "unicodeChar" => Self::UnicodeChar,
            "float" => Self::Float,
            "double" => Self::Double,
            "floatComplex" => Self::FloatComplex,
            "doubleComplex" => Self::DoubleComplex,
            other => Self::Other(other.to_owned()),
        }
    }

    /// The name in the standard, or as the document wrote it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Boolean => "boolean",
            Self::Bit => "bit",
            Self::UnsignedByte => "unsignedByte",
            Self::Short => "short",
            Self::Int => "int",
            Self::Long => "long",
            Self::Char => "char",
            Self::UnicodeChar => "unicodeChar",
            Self::Float => "float",
            Self::Double => "double",
            Self::FloatComplex => "floatComplex",
            Self::DoubleComplex => "doubleComplex",
            Self::Other(name) => name,
        }
    }

    /// How values of this type are read; `None` for a name that means nothing to us.
    pub(crate) fn primitive(&self) -> Option<Primitive> {
        Some(match self {
            Self::Boolean => Primitive::Bool,
            Self::Bit => Primitive::Bit,
            Self::UnsignedByte => Primitive::Int(IntType::U8),
            Self::Short => Primitive::Int(IntType::I16),
            Self::Int => Primitive::Int(IntType::I32),
            Self::Long => Primitive::Int(IntType::I64),
            Self::Char => Primitive::Char,
            Self::UnicodeChar => Primitive::UnicodeChar,
            Self::Float => Primitive::Float,
            Self::Double => Primitive::Double,
            Self::FloatComplex => Primitive::FloatComplex,
            Self::DoubleComplex => Primitive::DoubleComplex,
            Self::Other(name) => match name.as_str() {
                "bool" => Primitive::Bool,
                "unsignedShort" => Primitive::Int(IntType::U16),
                "unsignedInt" => Primitive::Int(IntType::U32),
                "unsignedLong" => Primitive::Int(IntType::U64),
                "int8" => Primitive::Int(IntType::I8),
                "int16" => Primitive::Int(IntType::I16),
                "int32" | "integer" => Primitive::Int(IntType::I32),
                "int64" => Primitive::Int(IntType::I64),
                "float32" | "real" => Primitive::Float,
                "float64" => Primitive::Double,
                "unicodeString" => Primitive::UnicodeChar,
                "string" => Primitive::Char,
                _ => return None,
            },
        })
    }

    /// Whether the name itself says that the value is a text of any length.
    pub(crate) fn is_string_alias(&self) -> bool {
        matches!(self, Self::Other(name) if name == "string" || name == "unicodeString")
    }
}

impl std::fmt::Display for Datatype {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What one element of a cell is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Primitive {
    Bool,
    Bit,
    Int(IntType),
    Char,
    UnicodeChar,
    Float,
    Double,
    FloatComplex,
    DoubleComplex,
}

impl Primitive {
    /// Bytes of `items` elements in BINARY and BINARY2; `None` when that does not fit.
    pub(crate) fn bytes(self, items: usize) -> Option<usize> {
        let width = match self {
            Self::Bit => return Some(items.div_ceil(8)),
            Self::Bool | Self::Char => 1,
            Self::UnicodeChar => 2,
            Self::Int(int) => int.bytes(),
            Self::Float => 4,
            Self::Double | Self::FloatComplex => 8,
            Self::DoubleComplex => 16,
        };
        items.checked_mul(width)
    }

    pub(crate) fn is_text(self) -> bool {
        matches!(self, Self::Char | Self::UnicodeChar)
    }
}

/// An integer type. The unsigned ones but `U8` are not in the standard; archives send them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IntType {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
}

impl IntType {
    pub(crate) fn bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 => 4,
            Self::I64 | Self::U64 => 8,
        }
    }

    /// Whether `value` is one of the type. Of `U64` only what fits `i64` can be told.
    pub(crate) fn contains(self, value: i64) -> bool {
        match self {
            Self::I8 => i8::try_from(value).is_ok(),
            Self::U8 => u8::try_from(value).is_ok(),
            Self::I16 => i16::try_from(value).is_ok(),
            Self::U16 => u16::try_from(value).is_ok(),
            Self::I32 => i32::try_from(value).is_ok(),
            Self::U32 => u32::try_from(value).is_ok(),
            Self::I64 => true,
            Self::U64 => value >= 0,
        }
    }

    /// The value of a bit pattern of [`Self::bytes`] bytes, right-aligned; `None` for a `U64` beyond `i64`.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        reason = "the bits are taken as the type's two's complement on purpose"
    )]
    pub(crate) fn of_bits(self, bits: u64) -> Option<i64> {
        Some(match self {
            Self::I8 => i64::from(bits as i8),
            Self::U8 => i64::from(bits as u8),
            Self::I16 => i64::from(bits as i16),
            Self::U16 => i64::from(bits as u16),
            Self::I32 => i64::from(bits as i32),
            Self::U32 => i64::from(bits as u32),
            Self::I64 => bits as i64,
            Self::U64 => return i64::try_from(bits).ok(),
        })
    }
}

/// The `arraysize` attribute as read (VOTable 1.5, section 2.2): dimensions, the first varying fastest.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Shape {
    /// The dimensions but the last; empty for scalars and vectors.
    pub(crate) inner: Vec<usize>,
    pub(crate) last: Extent,
}

/// The last dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Extent {
    /// No array at all. `arraysize="1"` counts as that: half the archives write it on every column.
    #[default]
    Scalar,
    Fixed(usize),
    /// `*`, or `n*` with its bound: variable in BINARY all the same.
    Variable(Option<usize>),
}

impl Shape {
    /// Reads the attribute; `Err` holds what to take it for when it cannot be read.
    pub(crate) fn parse(text: &str) -> Result<Self, Self> {
        let variable = Self {
            inner: Vec::new(),
            last: Extent::Variable(None),
        };
        let text = text.trim();
        if text.is_empty() || text == "1" {
            return Ok(Self::default());
        }
        let (inner, last) = text
            .rsplit_once(['x', 'X'])
            .map_or((None, text), |(a, b)| (Some(a), b));
        let inner = match inner {
            None => Vec::new(),
            Some(inner) => match inner.split(['x', 'X']).map(|d| d.trim().parse()).collect() {
                Ok(inner) => inner,
                Err(_) => return Err(variable),
            },
        };
        let last = last.trim();
        let last = match last.strip_suffix('*') {
            Some("") => Extent::Variable(None),
            Some(bound) => match bound.trim().parse() {
                Ok(bound) => Extent::Variable(Some(bound)),
                Err(_) => return Err(Self { inner, ..variable }),
            },
            None => match last.parse() {
                Ok(size) => Extent::Fixed(size),
                // `5x`: the last dimension was forgotten.
                Err(_) => return Err(Self { inner, ..variable }),
            },
        };
        Ok(Self { inner, last })
    }

    /// Elements of one step of the last dimension; `None` when that does not fit.
    pub(crate) fn inner_items(&self) -> Option<usize> {
        self.inner
            .iter()
            .try_fold(1_usize, |product, dim| product.checked_mul(*dim))
    }

    pub(crate) fn is_scalar(&self) -> bool {
        self.last == Extent::Scalar && self.inner.is_empty()
    }

    /// Elements the shape asks for, if it is fixed. An overflow is `usize::MAX`, which no cell has.
    pub(crate) fn fixed_items(&self) -> Option<usize> {
        let inner = self.inner_items().unwrap_or(usize::MAX);
        match self.last {
            Extent::Scalar => Some(inner),
            Extent::Fixed(size) => Some(inner.saturating_mul(size)),
            Extent::Variable(_) => None,
        }
    }

    /// The most elements the shape allows, if it says.
    pub(crate) fn max_items(&self) -> Option<usize> {
        match self.last {
            Extent::Variable(bound) => bound.map(|bound| {
                self.inner_items()
                    .unwrap_or(usize::MAX)
                    .saturating_mul(bound)
            }),
            _ => self.fixed_items(),
        }
    }
}
