//! The parts of a document as plain data, attributes as they were written (VOTable 1.5, sections 3 and 4).

use crate::datatype::Datatype;

/// The start of a `RESOURCE`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResourceStart {
    /// `ID`
    pub id: Option<String>,
    /// `name`
    pub name: Option<String>,
    /// `type`: `results`, `meta` (a service descriptor, or annotation), or what was written.
    pub kind: Option<String>,
    /// `utype`, such as `adhoc:service`.
    pub utype: Option<String>,
    /// Resources around this one.
    pub depth: usize,
}

/// What an [`Info`], [`Param`] or [`Description`] belongs to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Place {
    /// The document, `DEFINITIONS` included.
    #[default]
    Document,
    /// The innermost open resource.
    Resource,
    /// The table just begun or just read.
    Table,
}

/// An `INFO` element.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Info {
    /// What it belongs to.
    pub place: Place,
    /// `ID`
    pub id: Option<String>,
    /// `name`
    pub name: String,
    /// `value`
    pub value: String,
    /// The element's text, as written.
    pub text: String,
    /// `unit`
    pub unit: Option<String>,
    /// `ucd`
    pub ucd: Option<String>,
    /// `utype`
    pub utype: Option<String>,
    /// `ref`
    pub reference: Option<String>,
    /// `DESCRIPTION` inside.
    pub description: Option<String>,
}

/// A `DESCRIPTION` of the document or of a resource. Those of tables, columns and parameters are in their structs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Description {
    /// What it describes.
    pub place: Place,
    /// The text, white space at both ends removed.
    pub text: String,
}

/// A `COOSYS` or `TIMESYS` element.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct System {
    /// `COOSYS` or `TIMESYS`.
    pub element: &'static str,
    /// `ID`, what `FIELD ref` points to.
    pub id: Option<String>,
    /// All attributes as written.
    pub attributes: Vec<(String, String)>,
}

/// A `LINK` element.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Link {
    /// `href`: data, never followed by the reader.
    pub href: Option<String>,
    /// `content-role`
    pub content_role: Option<String>,
    /// `content-type`
    pub content_type: Option<String>,
    /// `title`
    pub title: Option<String>,
    /// `value`
    pub value: Option<String>,
    /// `action`
    pub action: Option<String>,
}

/// A `VALUES` element: the domain of a column or parameter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Values {
    /// `ID`
    pub id: Option<String>,
    /// `ref`: the values of another column; its `null` is already filled in.
    pub reference: Option<String>,
    /// `type`: `legal` or `actual`.
    pub kind: Option<String>,
    /// `null`, as written.
    pub null: Option<String>,
    /// `value` of `MIN`.
    pub min: Option<String>,
    /// `value` of `MAX`.
    pub max: Option<String>,
    /// `name` and `value` of each `OPTION`, nested ones in document order.
    pub options: Vec<(Option<String>, String)>,
}

/// A `FIELD`: one column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// `name`; the `ID` where it is missing.
    pub name: String,
    /// `ID`
    pub id: Option<String>,
    /// `datatype`
    pub datatype: Datatype,
    /// `arraysize`, as written.
    pub arraysize: Option<String>,
    /// `xtype`
    pub xtype: Option<String>,
    /// `unit`, as written.
    pub unit: Option<String>,
    /// `ucd`
    pub ucd: Option<String>,
    /// `utype`
    pub utype: Option<String>,
    /// `ref`: a `COOSYS`, `TIMESYS` or group.
    pub reference: Option<String>,
    /// `precision`
    pub precision: Option<String>,
    /// `width`
    pub width: Option<String>,
    /// `type`, such as `hidden` or `trigger`.
    pub kind: Option<String>,
    /// `DESCRIPTION`, white space at both ends removed.
    pub description: Option<String>,
    /// `null` of `VALUES`, as written.
    pub null: Option<String>,
    /// `VALUES`
    pub values: Option<Values>,
    /// `LINK`s
    pub links: Vec<Link>,
}

impl Field {
    /// A column with a name and a type, the rest empty.
    #[must_use]
    pub fn new(name: impl Into<String>, datatype: Datatype, arraysize: Option<&str>) -> Self {
        Self {
            name: name.into(),
            datatype,
            arraysize: arraysize.map(str::to_owned),
            ..Self::default()
        }
    }
}

impl Default for Field {
    fn default() -> Self {
        Self {
            name: String::new(),
            id: None,
            datatype: Datatype::Char,
            arraysize: None,
            xtype: None,
            unit: None,
            ucd: None,
            utype: None,
            reference: None,
            precision: None,
            width: None,
            kind: None,
            description: None,
            null: None,
            values: None,
            links: Vec::new(),
        }
    }
}

/// A `PARAM`: a column with one value for all rows, or an input of a service descriptor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Param {
    /// What it belongs to.
    pub place: Place,
    /// Name, type and the like.
    pub field: Field,
    /// `value`, as written.
    pub value: String,
    /// Names of the `GROUP`s around it, joined by `/`: `inputParams` in a service descriptor.
    pub group: Option<String>,
}

/// A `GROUP` of a table. Groups inside groups are listed after them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Group {
    /// `ID`
    pub id: Option<String>,
    /// `name`
    pub name: Option<String>,
    /// `ucd`
    pub ucd: Option<String>,
    /// `utype`
    pub utype: Option<String>,
    /// `ref`
    pub reference: Option<String>,
    /// `DESCRIPTION`
    pub description: Option<String>,
    /// `ref` of each `FIELDref`.
    pub field_refs: Vec<String>,
    /// `ref` of each `PARAMref`.
    pub param_refs: Vec<String>,
}

/// A `TABLE` as far as it is known before its data.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    /// Which table of the document, from 0.
    pub index: usize,
    /// `ID`
    pub id: Option<String>,
    /// `name`
    pub name: Option<String>,
    /// `ucd`
    pub ucd: Option<String>,
    /// `utype`
    pub utype: Option<String>,
    /// `ref`: a table before this one, whose columns it has; they are already filled in.
    pub reference: Option<String>,
    /// `nrows`: what the document says, not what it holds.
    pub nrows: Option<u64>,
    /// `DESCRIPTION`, white space at both ends removed.
    pub description: Option<String>,
    /// The columns.
    pub fields: Vec<Field>,
    /// The parameters before the data, those in groups too.
    pub params: Vec<Param>,
    /// The groups before the data.
    pub groups: Vec<Group>,
    /// The links before the data.
    pub links: Vec<Link>,
}

/// The serialisation of a table's data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Serialisation {
    /// `BINARY`
    Binary,
    /// `BINARY2`
    Binary2,
    /// `FITS`
    Fits,
    /// `PARQUET`
    Parquet,
}

/// Data that are not read: elsewhere, or in a form this crate does not read. The table has no rows then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stream {
    /// How the data are serialised.
    pub serialisation: Serialisation,
    /// `href`: where they are. It is a hostile string until a guard says otherwise.
    pub href: Option<String>,
    /// `encoding`
    pub encoding: Option<String>,
    /// `extnum` of `FITS`.
    pub extnum: Option<String>,
}
