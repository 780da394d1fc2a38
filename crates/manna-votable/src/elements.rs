//! The elements of VOTable that mean something to the reader.

/// An element by its local name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Element {
    Votable,
    Definitions,
    Resource,
    Table,
    Field,
    Param,
    Info,
    Values,
    Min,
    Max,
    Choice,
    Link,
    Group,
    FieldRef,
    ParamRef,
    CooSys,
    TimeSys,
    Description,
    Data,
    TableData,
    Tr,
    Td,
    Binary,
    Binary2,
    Fits,
    Parquet,
    Stream,
    /// A MIVOT annotation block: a language of its own, skipped as a whole.
    Vodml,
    /// Anything else, or an element where it does not belong: as if only its content were there.
    Other,
}

const NAMES: [(Element, &str); 28] = [
    (Element::Td, "TD"),
    (Element::Tr, "TR"),
    (Element::Votable, "VOTABLE"),
    (Element::Definitions, "DEFINITIONS"),
    (Element::Resource, "RESOURCE"),
    (Element::Table, "TABLE"),
    (Element::Field, "FIELD"),
    (Element::Param, "PARAM"),
    (Element::Info, "INFO"),
    (Element::Values, "VALUES"),
    (Element::Min, "MIN"),
    (Element::Max, "MAX"),
    (Element::Choice, "OPTION"),
    (Element::Link, "LINK"),
    (Element::Group, "GROUP"),
    (Element::FieldRef, "FIELDref"),
    (Element::ParamRef, "PARAMref"),
    (Element::CooSys, "COOSYS"),
    (Element::TimeSys, "TIMESYS"),
    (Element::Description, "DESCRIPTION"),
    (Element::Data, "DATA"),
    (Element::TableData, "TABLEDATA"),
    (Element::Binary, "BINARY"),
    (Element::Binary2, "BINARY2"),
    (Element::Fits, "FITS"),
    (Element::Parquet, "PARQUET"),
    (Element::Stream, "STREAM"),
    (Element::Vodml, "VODML"),
];

impl Element {
    pub(crate) fn of(name: &str) -> Self {
        NAMES
            .iter()
            .find(|(_, n)| *n == name)
            .map_or(Self::Other, |(element, _)| *element)
    }

    /// What a document that ends in this element is short of; `None` for elements whose end nobody misses.
    pub(crate) fn missing(self) -> Option<&'static str> {
        Some(match self {
            Self::Votable => "the document",
            Self::Resource => "a resource",
            Self::Table | Self::Data | Self::TableData | Self::Binary | Self::Binary2 => "a table",
            Self::Fits | Self::Parquet => "a table",
            Self::Tr | Self::Td => "a row",
            Self::Stream => "a binary stream",
            _ => return None,
        })
    }

    /// Whether the element may stand in `parent`, both as the reader understands them: more than the schema allows,
    /// for what archives do.
    pub(crate) fn fits(self, parent: Option<Self>) -> bool {
        use Element as E;
        let Some(parent) = parent else {
            return self == E::Votable;
        };
        match self {
            E::Votable | E::Other => false,
            E::Definitions => parent == E::Votable,
            E::Resource | E::Table => matches!(parent, E::Votable | E::Resource),
            E::Field => parent == E::Table,
            E::Param => {
                matches!(
                    parent,
                    E::Votable | E::Definitions | E::Resource | E::Table | E::Group
                )
            }
            E::Info => !matches!(
                parent,
                E::Vodml
                    | E::Td
                    | E::Stream
                    | E::Info
                    | E::Description
                    | E::Field
                    | E::Param
                    | E::Values
            ),
            E::Values => matches!(parent, E::Field | E::Param),
            E::Min | E::Max => parent == E::Values,
            E::Choice => matches!(parent, E::Values | E::Choice),
            E::Link => matches!(parent, E::Field | E::Param | E::Table | E::Resource),
            E::Group => matches!(
                parent,
                E::Votable | E::Definitions | E::Resource | E::Table | E::Group
            ),
            E::FieldRef | E::ParamRef => parent == E::Group,
            E::CooSys | E::TimeSys => {
                matches!(parent, E::Votable | E::Definitions | E::Resource | E::Table)
            }
            E::Description => !matches!(
                parent,
                E::Vodml | E::Td | E::Tr | E::TableData | E::Stream | E::Description
            ),
            E::Data => parent == E::Table,
            E::TableData | E::Binary | E::Binary2 | E::Fits | E::Parquet => parent == E::Data,
            E::Tr => parent == E::TableData,
            E::Td => parent == E::Tr,
            E::Stream => matches!(parent, E::Binary | E::Binary2 | E::Fits | E::Parquet),
            E::Vodml => parent != E::Vodml,
        }
    }
}

/// An open element.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) element: Element,
    /// Its name, for those that are not known by their element.
    name: Option<Box<str>>,
}

impl Frame {
    pub(crate) fn new(element: Element, name: &str) -> Self {
        let other = element == Element::Other;
        Self {
            element,
            name: other.then(|| name.into()),
        }
    }

    pub(crate) fn is(&self, name: &str) -> bool {
        match &self.name {
            Some(own) => **own == *name,
            None => NAMES
                .iter()
                .any(|(element, n)| *element == self.element && *n == name),
        }
    }
}
