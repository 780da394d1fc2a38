//! Everything around the rows: INFO, PARAM, FIELD and the like, collected from their tags and texts.

use std::collections::HashMap;

use crate::{
    attributes::unescape,
    datatype::Datatype,
    elements::Element,
    error::Fault,
    limits::{LimitKind, Limits},
    model::{
        Field, Group, Info, Link, Param, Place, ResourceStart, Serialisation, Stream, System,
        Table, Values,
    },
    tokens::Tag,
    warning::{WarningKind, Warnings},
};

/// What an element takes in memory besides its text, roughly: so that empty elements count too.
const OVERHEAD: usize = 128;

/// The elements under construction.
#[derive(Debug, Default)]
pub(crate) struct Header {
    pub(crate) table: Option<Table>,
    /// For each FIELD of the table whether it said its datatype.
    pub(crate) has_datatype: Vec<bool>,
    pub(crate) field: Option<Field>,
    field_has_datatype: bool,
    pub(crate) param: Option<Param>,
    pub(crate) info: Option<Info>,
    info_text: Capped,
    description: Capped,
    groups: Vec<OpenGroup>,
    /// `null` of each `VALUES` with an ID, for `VALUES ref`.
    nulls: HashMap<String, String>,
    kept: usize,
}

#[derive(Debug)]
struct OpenGroup {
    name: Option<String>,
    /// Where it is in the table's list.
    index: Option<usize>,
}

/// A text that stops growing at a limit.
#[derive(Debug, Default)]
struct Capped {
    text: String,
    full: bool,
}

impl Capped {
    /// Answers whether this was the piece that did not fit.
    fn push(&mut self, piece: &str, limit: usize) -> bool {
        if self.full {
            return false;
        }
        let room = limit.saturating_sub(self.text.len());
        let piece = if piece.len() > room {
            self.full = true;
            piece
                .get(..piece.floor_char_boundary(room))
                .unwrap_or_default()
        } else {
            piece
        };
        self.text.push_str(piece);
        self.full
    }

    fn take(&mut self) -> String {
        self.full = false;
        std::mem::take(&mut self.text)
    }
}

impl Header {
    /// Counts bytes that stay for the life of the document.
    pub(crate) fn keep(&mut self, bytes: usize, limits: &Limits) -> Result<(), Fault> {
        self.kept = self.kept.saturating_add(bytes + OVERHEAD);
        if self.kept > limits.header_bytes {
            return Err(Fault::limit(LimitKind::HeaderBytes, limits.header_bytes));
        }
        Ok(())
    }

    /// Counts bytes of what is inside a column or parameter, which have no bound of their own.
    pub(crate) fn keep_open(&mut self, bytes: usize, limits: &Limits) -> Result<(), Fault> {
        if self.table.is_some() {
            Ok(())
        } else {
            self.keep(bytes, limits)
        }
    }

    pub(crate) fn start_table(&mut self, tag: &Tag<'_>, index: usize) {
        let mut table = Table {
            index,
            ..Table::default()
        };
        for (name, value) in attributes(tag) {
            match name {
                "ID" => table.id = Some(value),
                "name" => table.name = Some(value),
                "ucd" => table.ucd = Some(value),
                "utype" => table.utype = Some(value),
                "ref" => table.reference = Some(value),
                "nrows" => table.nrows = value.trim().parse().ok(),
                _ => {}
            }
        }
        self.table = Some(table);
        self.has_datatype.clear();
    }

    pub(crate) fn start_field(&mut self, tag: &Tag<'_>) {
        let (field, has_datatype, _) = field(tag);
        self.field = Some(field);
        self.field_has_datatype = has_datatype;
    }

    pub(crate) fn end_field(&mut self, limits: &Limits) -> Result<(), Fault> {
        let (Some(field), Some(table)) = (self.field.take(), &mut self.table) else {
            return Ok(());
        };
        if table.fields.len() >= limits.fields {
            return Err(Fault::limit(LimitKind::Fields, limits.fields));
        }
        table.fields.push(field);
        self.has_datatype.push(self.field_has_datatype);
        Ok(())
    }

    pub(crate) fn start_param(&mut self, tag: &Tag<'_>, place: Place) {
        let (field, _, value) = field(tag);
        let names: Vec<_> = self
            .groups
            .iter()
            .filter_map(|group| group.name.as_deref())
            .collect();
        self.param = Some(Param {
            place,
            field,
            value,
            group: (!self.groups.is_empty()).then(|| names.join("/")),
        });
    }

    pub(crate) fn end_param(&mut self) -> Option<Param> {
        let param = self.param.take()?;
        if let Some(table) = &mut self.table {
            table.params.push(param.clone());
        }
        Some(param)
    }

    pub(crate) fn start_info(&mut self, tag: &Tag<'_>, place: Place) {
        let mut info = Info {
            place,
            ..Info::default()
        };
        for (name, value) in attributes(tag) {
            match name {
                "ID" => info.id = Some(value),
                "name" => info.name = value,
                "value" => info.value = value,
                "unit" => info.unit = Some(value),
                "ucd" => info.ucd = Some(value),
                "utype" => info.utype = Some(value),
                "ref" => info.reference = Some(value),
                _ => {}
            }
        }
        self.info = Some(info);
    }

    pub(crate) fn end_info(&mut self) -> Option<Info> {
        let mut info = self.info.take()?;
        info.text = self.info_text.take();
        Some(info)
    }

    pub(crate) fn info_text(&mut self, piece: &str, limits: &Limits, warnings: &mut Warnings) {
        if self.info_text.push(piece, limits.node_bytes) {
            warnings.document(WarningKind::TextCut, "");
        }
    }

    pub(crate) fn description_text(
        &mut self,
        piece: &str,
        limits: &Limits,
        warnings: &mut Warnings,
    ) {
        if self.description.push(piece, limits.node_bytes) {
            warnings.document(WarningKind::TextCut, "");
        }
    }

    /// Gives the description to the element it is in; the document's and a resource's comes back. With its length.
    pub(crate) fn end_description(
        &mut self,
        parent: Option<Element>,
    ) -> (usize, Option<(Place, String)>) {
        let text = self.description.take().trim().to_owned();
        let bytes = text.len();
        (bytes, self.place_description(text, parent))
    }

    fn place_description(
        &mut self,
        text: String,
        parent: Option<Element>,
    ) -> Option<(Place, String)> {
        let slot = match parent {
            Some(Element::Field) => self.field.as_mut().map(|field| &mut field.description),
            Some(Element::Param) => self
                .param
                .as_mut()
                .map(|param| &mut param.field.description),
            Some(Element::Info) => self.info.as_mut().map(|info| &mut info.description),
            Some(Element::Table) => self.table.as_mut().map(|table| &mut table.description),
            Some(Element::Group) => self.group().map(|group| &mut group.description),
            Some(Element::Resource) => return Some((Place::Resource, text)),
            Some(Element::Votable | Element::Definitions) => return Some((Place::Document, text)),
            _ => None,
        };
        // A second description is against the schema; the first is the one meant.
        if let Some(slot @ None) = slot {
            *slot = Some(text);
        }
        None
    }

    pub(crate) fn start_group(&mut self, tag: &Tag<'_>) {
        let mut group = Group::default();
        for (name, value) in attributes(tag) {
            match name {
                "ID" => group.id = Some(value),
                "name" => group.name = Some(value),
                "ucd" => group.ucd = Some(value),
                "utype" => group.utype = Some(value),
                "ref" => group.reference = Some(value),
                _ => {}
            }
        }
        let name = group.name.clone();
        let index = self.table.as_mut().map(|table| {
            table.groups.push(group);
            table.groups.len() - 1
        });
        self.groups.push(OpenGroup { name, index });
    }

    pub(crate) fn end_group(&mut self) {
        self.groups.pop();
    }

    fn group(&mut self) -> Option<&mut Group> {
        let index = self.groups.last()?.index?;
        self.table.as_mut()?.groups.get_mut(index)
    }

    pub(crate) fn reference(&mut self, tag: &Tag<'_>, element: Element) {
        let (Some(to), Some(group)) = (tag.attribute("ref"), self.group()) else {
            return;
        };
        match element {
            Element::FieldRef => group.field_refs.push(to),
            _ => group.param_refs.push(to),
        }
    }

    pub(crate) fn start_values(&mut self, tag: &Tag<'_>, warnings: &mut Warnings) {
        let mut values = Values::default();
        for (name, value) in attributes(tag) {
            match name {
                "ID" => values.id = Some(value),
                "ref" => values.reference = Some(value),
                "type" => values.kind = Some(value),
                "null" => values.null = Some(value),
                _ => {}
            }
        }
        if values.null.is_none()
            && let Some(to) = &values.reference
        {
            values.null = self.nulls.get(to).cloned();
        }
        if values
            .id
            .as_ref()
            .is_some_and(|id| Some(id) == values.reference.as_ref())
        {
            warnings.document(WarningKind::UnresolvedRef, "");
        }
        if let (Some(id), Some(null)) = (&values.id, &values.null) {
            self.nulls.insert(id.clone(), null.clone());
        }
        let Some(field) = self.valued() else {
            return;
        };
        // `legal` and `actual` may stand side by side; a null value in either counts.
        if values.null.is_some() {
            field.null.clone_from(&values.null);
        }
        if field.values.is_none() {
            field.values = Some(values);
        }
    }

    pub(crate) fn bound(&mut self, tag: &Tag<'_>, element: Element) {
        let value = tag.attribute("value");
        let Some(values) = self.valued().and_then(|field| field.values.as_mut()) else {
            return;
        };
        match element {
            Element::Min => values.min = value,
            Element::Max => values.max = value,
            _ => values
                .options
                .push((tag.attribute("name"), value.unwrap_or_default())),
        }
    }

    /// The column or parameter that is open.
    fn valued(&mut self) -> Option<&mut Field> {
        match (&mut self.field, &mut self.param) {
            (Some(field), _) => Some(field),
            (None, Some(param)) => Some(&mut param.field),
            (None, None) => None,
        }
    }

    /// Gives the link to the column, parameter or table it is in; a resource's comes back.
    pub(crate) fn link(&mut self, tag: &Tag<'_>) -> Option<Link> {
        let mut link = Link::default();
        for (name, value) in attributes(tag) {
            match name {
                "href" => link.href = Some(value),
                "content-role" => link.content_role = Some(value),
                "content-type" => link.content_type = Some(value),
                "title" => link.title = Some(value),
                "value" => link.value = Some(value),
                "action" => link.action = Some(value),
                _ => {}
            }
        }
        if let Some(field) = self.valued() {
            field.links.push(link);
        } else if let Some(table) = &mut self.table {
            table.links.push(link);
        } else {
            return Some(link);
        }
        None
    }
}

/// Attribute names and values, references resolved.
fn attributes<'a>(tag: &Tag<'a>) -> impl Iterator<Item = (&'a str, String)> {
    tag.attributes()
        .map(|(name, value)| (name, unescape(value)))
}

pub(crate) fn resource(tag: &Tag<'_>, depth: usize) -> ResourceStart {
    let mut resource = ResourceStart {
        depth,
        ..ResourceStart::default()
    };
    for (name, value) in attributes(tag) {
        match name {
            "ID" => resource.id = Some(value),
            "name" => resource.name = Some(value),
            "type" => resource.kind = Some(value),
            "utype" => resource.utype = Some(value),
            _ => {}
        }
    }
    resource
}

pub(crate) fn system(tag: &Tag<'_>, element: &'static str) -> System {
    System {
        element,
        id: tag.attribute("ID"),
        attributes: attributes(tag)
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
    }
}

pub(crate) fn stream(
    tag: &Tag<'_>,
    serialisation: Serialisation,
    extnum: Option<String>,
) -> Stream {
    Stream {
        serialisation,
        href: tag.attribute("href"),
        encoding: tag.attribute("encoding"),
        extnum,
    }
}

/// What FIELD and PARAM share, whether a datatype was given, and the `value`.
fn field(tag: &Tag<'_>) -> (Field, bool, String) {
    let mut field = Field::default();
    let mut has_datatype = false;
    let mut given = String::new();
    for (name, value) in attributes(tag) {
        match name {
            "ID" => field.id = Some(value),
            "name" => field.name = value,
            "datatype" if !value.trim().is_empty() => {
                field.datatype = Datatype::parse(&value);
                has_datatype = true;
            }
            "arraysize" => field.arraysize = Some(value),
            "xtype" => field.xtype = Some(value),
            "unit" => field.unit = Some(value),
            "ucd" => field.ucd = Some(value),
            "utype" => field.utype = Some(value),
            "ref" => field.reference = Some(value),
            "precision" => field.precision = Some(value),
            "width" => field.width = Some(value),
            "type" => field.kind = Some(value),
            "value" => given = value,
            _ => {}
        }
    }
    if field.name.is_empty() {
        field.name = field.id.clone().unwrap_or_default();
    }
    (field, has_datatype, given)
}
