//! A row of a table, and the cell that it describes.

use crate::case::Error;
use base::{Named, Span};
use net::{QueueConfig, QueueLimit};
use scenario::wimax_settings;
use std::rc::Rc;
use std::str::FromStr;
use wimax::{
    CellConfig, CellSettings, ErrorConfig, FrameConfig, Mcs, PduConfig, Phy, Preset, Ratio,
    RequestConfig, Scheduling, Split, SubscriberConfig, Tail,
};

/// A row of a table.
#[derive(Clone, Debug)]
pub struct Row {
    columns: Rc<Vec<String>>,
    values: Vec<String>,
    /// Its line in the file.
    line: usize,
    file: Rc<String>,
}

/// The rows of a table whose first line names the columns.
pub fn rows(file: &str, text: &str) -> Result<Vec<Row>, Error> {
    let split =
        |line: &str| line.split(',').map(|value| value.trim().to_owned()).collect::<Vec<_>>();
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let (_, header) = lines.next().ok_or_else(|| Error::new(file, "an empty table"))?;
    let (columns, file) = (Rc::new(split(header)), Rc::new(file.to_owned()));
    let row = |(i, line): (usize, &str)| {
        let values = split(line);
        if values.len() != columns.len() {
            return Err(Error::new(
                &file,
                format!("line {}: not as many values as columns", i + 1),
            ));
        }
        Ok(Row { columns: columns.clone(), values, line: i + 1, file: file.clone() })
    };
    lines.map(row).collect()
}

impl Row {
    /// True where there is such a column.
    pub fn has(&self, column: &str) -> bool {
        self.columns.iter().any(|name| name == column)
    }

    /// The value as it is.
    pub fn text(&self, column: &str) -> Result<&str, Error> {
        let at = self.columns.iter().position(|name| name == column);
        let at = at.ok_or_else(|| Error::new(&self.file, format!("no column {column}")))?;
        Ok(&self.values[at])
    }

    /// A number.
    pub fn number<T: FromStr>(&self, column: &str) -> Result<T, Error> {
        let text = self.text(column)?;
        text.parse().map_err(|_| self.wrong(column, text))
    }

    /// A name.
    fn name<T: Named>(&self, column: &str) -> Result<T, Error> {
        let text = self.text(column)?;
        T::by_name(text).ok_or_else(|| self.wrong(column, text))
    }

    fn wrong(&self, column: &str, text: &str) -> Error {
        Error::new(&self.file, format!("line {}: {column} cannot be {text:?}", self.line))
    }

    /// The name of a case.
    pub fn id(&self) -> String {
        format!("line {}", self.line)
    }

    /// The values of the columns before this one.
    pub fn before(&self, column: &str) -> &[String] {
        let end = self.columns.iter().position(|name| name == column).unwrap_or(0);
        &self.values[..end]
    }

    /// Burst profiles of downlink and uplink.
    pub fn profiles(&self) -> Result<(Mcs, Mcs), Error> {
        Ok((self.name("mcs_dl")?, self.name("mcs_ul")?))
    }

    /// What holds where no column says anything.
    fn preset(&self) -> Result<CellSettings, Error> {
        let preset = match self.text("preset")? {
            "std" => Ok(Preset::Standard),
            other => Preset::by_name(other).ok_or_else(|| self.wrong("preset", other)),
        };
        preset.map(wimax_settings)
    }

    /// The frame.
    pub fn frame(&self) -> Result<FrameConfig, Error> {
        Ok(FrameConfig {
            phy: Phy {
                bandwidth: self.number("bw")?,
                prefix: self.number("cp")?,
                frame: Span::micros(self.number("frame_us")?),
            },
            split: Split {
                ratio: Ratio(self.number("dl")?, self.number("ul")?),
                downlink_symbols: None,
            },
            tail: self.name::<Tail>("tail")?,
            broadcast: self.name("mcs_bc")?,
            ranging: self.number("m_rng")?,
            ..self.preset()?.frame
        })
    }

    /// PDUs.
    pub fn pdus(&self) -> Result<PduConfig, Error> {
        let is = |column: &str| Ok::<bool, Error>(self.number::<u32>(column)? != 0);
        Ok(PduConfig {
            crc: is("crc")?,
            fragmentation: is("frag").unwrap_or(true),
            packing: is("pack")?,
            ..self.preset()?.pdus
        })
    }

    /// Requests.
    pub fn requests(&self) -> Result<RequestConfig, Error> {
        Ok(RequestConfig {
            opportunities: self.number("m_bw")?,
            window_start: self.number("bo_start")?,
            window_end: self.number("bo_end")?,
            timeout: Span::micros(self.number("t16_us")?),
            retries: self.number("retries")?,
            piggyback: self.number::<u32>("piggyback")? != 0,
            ..self.preset()?.requests
        })
    }

    /// The cell.
    pub fn cell(&self) -> Result<CellConfig, Error> {
        let (down, up) = self.profiles()?;
        let limit = QueueLimit::PacketsWithService(self.number("queue")?);
        let queue = QueueConfig::drop_tail(limit);
        let subscriber =
            SubscriberConfig { down, up, down_queue: queue.clone(), up_queue: queue, weight: 1 };
        Ok(CellConfig {
            frame: self.frame()?,
            pdus: self.pdus()?,
            requests: self.requests()?,
            errors: ErrorConfig::IDEAL,
            signal: None,
            entry: None,
            schedulers: (Scheduling::RoundRobin, Scheduling::RoundRobin),
            services: Vec::new(),
            subscribers: vec![subscriber; self.number("n")?],
        })
    }
}
