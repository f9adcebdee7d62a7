//! Files of picture sizes, as public trace libraries have them.

use base::{Span, named};

named! {
    /// Format of a file with pictures.
    pub enum TraceFormat, "video trace format" {
            ///
            /// In the order of transmission.
        TuBerlin = "tu_berlin": "number, type, display time in ms, size in bytes (TU Berlin's verbose files)",
            ///
            /// One of the lines with # perhaps names the columns. Without names the size is the fourth column; it is in bytes,
            /// unless its name has "bit" in it.
        Asu = "asu": "# FPS: 30 and other lines with #; number, time, type, size and more (Arizona State University)",
        Sizes = "sizes": "a size in bytes on each line",
    }
}

/// A picture of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Its size; 0: nothing is sent.
    pub bytes: u32,
    /// From it to the next.
    pub lasts: Span,
}

/// Pictures in the order in which they are sent; at least one, not all empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    pictures: Vec<Picture>,
}

/// Reasons why a text is not a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceError {
    /// Line, from 1.
    pub line: usize,
    /// The mistake, and the values allowed.
    pub what: String,
}

/// A larger picture is a mistake: 16 MB.
const LARGEST: f64 = 16_777_216.0;

/// Pictures last at least this: a microsecond.
const SHORTEST: Span = Span::micros(1);

impl Trace {
    /// Reads a text. With an `interval` pictures go so far apart. Without it TU Berlin's go at the times of the file, the
    /// n-th at the n-th in order: files are in the order of transmission and their times are those of display, so that
    /// with pictures in two directions this is the camera's clock, and pictures that were left out are gaps. The end is as
    /// far from the last as the two nearest pictures are from each other. ASU's go at the file's pictures a second.
    ///
    /// # Errors
    /// [`TraceError`] with the line.
    pub fn read(
        text: &str,
        format: TraceFormat,
        interval: Option<Span>,
    ) -> Result<Trace, TraceError> {
        let mut reader = Reader { format, ..Reader::default() };
        for (line, row) in (1..).zip(text.lines()) {
            reader.row(row).map_err(|what| TraceError { line, what })?;
        }
        let end = |what: String| TraceError { line: text.lines().count().max(1), what };
        if reader.sizes.iter().all(|&size| size == 0) {
            return Err(end("no picture with a size".into()));
        }
        let lasts = match interval.or(reader.interval) {
            Some(interval) => vec![interval; reader.sizes.len()],
            None if format == TraceFormat::TuBerlin => gaps(reader.times).map_err(end)?,
            None => return Err(end(NO_CLOCK.into())),
        };
        let picture = |(bytes, lasts)| Picture { bytes, lasts };
        Ok(Trace { pictures: reader.sizes.into_iter().zip(lasts).map(picture).collect() })
    }

    /// The pictures.
    pub fn pictures(&self) -> &[Picture] {
        &self.pictures
    }

    /// The picture that is due `offset` after the first.
    pub(super) fn at(&self, offset: Span) -> usize {
        let lasts = || self.pictures.iter().map(|picture| picture.lasts.0);
        let mut left = offset.0 % lasts().sum::<u64>();
        let passed = lasts().take_while(|&lasts| {
            let passed = left >= lasts;
            left -= if passed { lasts } else { 0 };
            passed
        });
        passed.count()
    }
}

const NO_CLOCK: &str = "the file has no picture rate; give interval, such as \"40 ms\"";

/// State of the reader so far.
struct Reader {
    format: TraceFormat,
    sizes: Vec<u32>,
    /// Nanoseconds.
    times: Vec<u64>,
    interval: Option<Span>,
    /// ASU: the column of the size, from 0, and whether it is in bits.
    column: (usize, bool),
}

impl Default for Reader {
    fn default() -> Reader {
        let (sizes, times, interval) = Default::default();
        Reader { format: TraceFormat::Sizes, sizes, times, interval, column: (3, false) }
    }
}

impl Reader {
    fn row(&mut self, row: &str) -> Result<(), String> {
        if let Some(comment) = row.trim().strip_prefix('#') {
            return if self.format == TraceFormat::Asu { self.header(comment) } else { Ok(()) };
        }
        let columns: Vec<&str> =
            row.split([' ', '\t', ',', ';']).filter(|c| !c.is_empty()).collect();
        if columns.is_empty() {
            return Ok(());
        }
        let bytes = match (self.format, columns.as_slice()) {
            (TraceFormat::Sizes, [size]) => number(size, "a size in bytes", LARGEST)?,
            (TraceFormat::TuBerlin, [_, _, time, size]) => {
                let ms = number(time, "a time in ms", 1e9)?;
                self.times.push((ms * 1e6 + 0.5) as u64);
                number(size, "a size in bytes", LARGEST)?
            }
            (TraceFormat::Asu, all) if all.len() > self.column.0 => {
                let (column, in_bits) = self.column;
                let size = number(all[column], "a size", 8.0 * LARGEST)?;
                if in_bits { (size / 8.0).ceil() } else { size }
            }
            (format, all) => {
                let wanted = match format {
                    TraceFormat::Sizes => "1: a size in bytes".to_owned(),
                    TraceFormat::TuBerlin => {
                        "4: number, type, time in ms, size in bytes".to_owned()
                    }
                    TraceFormat::Asu => format!("at least {}, the last a size", self.column.0 + 1),
                };
                return Err(format!("{} columns; allowed: {wanted}", all.len()));
            }
        };
        if bytes.fract() != 0.0 || bytes > LARGEST {
            return Err(format!("{bytes} is not a size; allowed: whole bytes, up to {LARGEST}"));
        }
        self.sizes.push(bytes as u32);
        Ok(())
    }

    /// A line behind "#".
    fn header(&mut self, line: &str) -> Result<(), String> {
        if let Some((name, value)) = line.split_once(':') {
            if name.trim().eq_ignore_ascii_case("fps") {
                let rate = number(value.trim(), "a number of pictures a second", 1e6)?;
                if rate < 1e-3 {
                    return Err(format!("{rate} pictures a second; allowed: 0.001 to 1000000"));
                }
                self.interval = Some(Span::from_secs(1.0 / rate));
            }
            return Ok(());
        }
        // Names of columns: "Frame#  Time[sec]  Type  Size[bits]".
        let names: Vec<String> = line.split_whitespace().map(str::to_lowercase).collect();
        if let Some(column) = names.iter().position(|name| name.starts_with("size")) {
            self.column = (column, names[column].contains("bit"));
        }
        Ok(())
    }
}

fn number(text: &str, what: &str, most: f64) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if (0.0..=most).contains(&number) => Ok(number),
        _ => Err(format!("found \"{text}\"; {what} is a number from 0 to {most}")),
    }
}

/// From each of the times, in order, to the next; the last as long as the shortest.
fn gaps(mut times: Vec<u64>) -> Result<Vec<Span>, String> {
    times.sort_unstable();
    let mut gaps: Vec<Span> = times.windows(2).map(|pair| Span(pair[1] - pair[0])).collect();
    match gaps.iter().min() {
        None => Err(format!("one picture; {NO_CLOCK}")),
        Some(&least) if least < SHORTEST => {
            Err("two pictures at one time; give interval, such as \"40 ms\"".into())
        }
        Some(&least) => {
            gaps.push(least);
            Ok(gaps)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, format: TraceFormat) -> Result<Vec<(u32, u64)>, String> {
        Trace::read(text, format, None)
            .map(|trace| trace.pictures.iter().map(|p| (p.bytes, p.lasts.0 / 1000)).collect())
            .map_err(|error| format!("{}: {}", error.line, error.what))
    }

    /// The first ten pictures of Star Wars IV as ns-3's UdpTraceClient has them.
    #[test]
    fn tu_berlins_rows_go_at_the_cameras_clock() {
        let sizes = [534, 1542, 134, 390, 765, 407, 504, 903, 421, 587];
        let times = [0, 40, 120, 80, 240, 160, 200, 360, 280, 320];
        let row = |(i, (size, time))| format!("{}\tP\t{time}\t{size}\n", i + 1);
        let text: String = sizes.iter().zip(times).enumerate().map(row).collect();
        let expected: Vec<(u32, u64)> = sizes.iter().map(|&size| (size, 40_000)).collect();
        assert_eq!(read(&text, TraceFormat::TuBerlin), Ok(expected));
    }

    #[test]
    fn pictures_that_were_left_out_are_gaps() {
        let text = "# H.263\n1 I 0 900\n\n2 P 120.0 300\n3 PB 160 200\n";
        let expected = vec![(900, 120_000), (300, 40_000), (200, 40_000)];
        assert_eq!(read(text, TraceFormat::TuBerlin), Ok(expected));
        let clock = Some(Span::millis(20));
        let trace = Trace::read(text, TraceFormat::TuBerlin, clock).unwrap();
        assert!(trace.pictures.iter().all(|picture| picture.lasts == Span::millis(20)));
    }

    #[test]
    fn asus_header_has_the_clock_and_the_columns() {
        let rows = "0 0.0 I 1000 40.1\n1 33.3 B 25 39.0\n";
        let plain = format!("# Sequence: none\n# FPS: 30\n#\n{rows}");
        let expected = vec![(1000, 33_333), (25, 33_333)];
        assert_eq!(read(&plain, TraceFormat::Asu), Ok(expected));
        let named = format!("# FPS: 25\n# Frame Time[ms] Type Size[bits] Y-PSNR\n{rows}");
        assert_eq!(read(&named, TraceFormat::Asu), Ok(vec![(125, 40_000), (4, 40_000)]));
        let terse = "# FPS: 25\n# Size[byte]\n700\n800\n";
        assert_eq!(read(terse, TraceFormat::Asu), Ok(vec![(700, 40_000), (800, 40_000)]));
    }

    #[test]
    fn sizes_need_a_clock() {
        let trace = Trace::read("10\n\n20\n", TraceFormat::Sizes, Some(Span::millis(40)));
        assert_eq!(trace.unwrap().pictures.iter().map(|p| p.bytes).collect::<Vec<_>>(), [10, 20]);
        assert!(read("10\n20\n", TraceFormat::Sizes).unwrap_err().contains("give interval"));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (text, format, says) in [
            ("10\nten\n", TraceFormat::Sizes, "2: found \"ten\""),
            ("10\n-5\n", TraceFormat::Sizes, "2: found \"-5\""),
            ("10 20\n", TraceFormat::Sizes, "1: 2 columns; allowed: 1"),
            ("1.5\n", TraceFormat::Sizes, "1: 1.5 is not a size"),
            ("99999999\n", TraceFormat::Sizes, "1: found"),
            ("", TraceFormat::Sizes, "1: no picture with a size"),
            ("0\n0\n", TraceFormat::Sizes, "2: no picture with a size"),
            ("1 I 0 10\n2 P 40\n", TraceFormat::TuBerlin, "2: 3 columns; allowed: 4: number"),
            ("1 I 0 10\n", TraceFormat::TuBerlin, "1: one picture"),
            ("1 I 0 10\n2 P 0 10\n", TraceFormat::TuBerlin, "2: two pictures at one time"),
            ("1 I x 10\n", TraceFormat::TuBerlin, "1: found \"x\"; a time in ms"),
            ("# FPS: 0\n", TraceFormat::Asu, "1: 0 pictures a second"),
            ("# FPS: 25\n0 0 I\n", TraceFormat::Asu, "2: 3 columns; allowed: at least 4"),
        ] {
            let message = read(text, format).unwrap_err();
            assert!(message.starts_with(says), "{text:?}: {message}");
        }
    }

    #[test]
    fn an_offset_finds_its_picture() {
        let trace = Trace::read("1 I 0 1\n2 P 120 2\n3 P 160 3\n", TraceFormat::TuBerlin, None);
        let trace = trace.unwrap();
        for (ms, picture) in [(0, 0), (119, 0), (120, 1), (160, 2), (199, 2), (200, 0), (325, 1)] {
            assert_eq!(trace.at(Span::millis(ms)), picture, "{ms} ms");
        }
    }
}
