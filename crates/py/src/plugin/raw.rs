//! The calls of a law that is compiled outside lasthop: all unsafe code of the package is here.
//!
//! A library stays loaded until the process ends, so what it exports holds for as long as anything. Of what a
//! law gives back only numbers are read, of which any bits are some number; [`super`] refuses those that make no sense. A law
//! moves the window where it is, and its crate keeps the rules in it private.
#![expect(unsafe_code, reason = "functions of another library can be called in no other way")]

use libloading::Library;
use std::ffi::c_void;
use std::path::Path;
use std::ptr::NonNull;
use transport::tcp::Window;
use transport::tcp::law::{Ack, Loss};
use transport::tcp::outside::{
    self, ABI_SYMBOL, ABI_VERSION, Came, FREE, LAW_SYMBOL, PACED, Plugin, RawAck, RawOption, Words,
};

/// The longest text that is taken from a law, bytes.
const LONGEST: usize = 4096;

/// The functions of a law, none of which is missing.
#[derive(Clone, Copy)]
struct Calls {
    create: outside::Create,
    copy: outside::Copies,
    destroy: outside::Destroy,
    on_ack: outside::OnAck,
    on_loss: outside::OnLoss,
    on_recovered: outside::OnEvent,
    on_idle: outside::OnEvent,
    trouble: outside::Trouble,
}

/// A library that is loaded.
pub struct Loaded {
    calls: Calls,
    /// The law's name.
    pub name: String,
    /// The window after a timeout, segments.
    pub timeout_leaves: f64,
    /// The law holds a model of the path.
    pub model_based: bool,
}

/// Loads a library for good.
///
/// # Errors
/// It is none, or no law for this version of the border.
pub fn load(file: &Path) -> Result<Loaded, String> {
    // SAFETY: what a library does while it is loaded is its own; those that cargo makes do nothing. The user names it as code to
    // run, as they would name a file in Python.
    let library = unsafe { Library::new(file) }.map_err(|error| error.to_string())?;
    let missing = |name: &str| {
        format!("it exports no {name}, so it is no law; `lasthop new law NAME --rust` makes one")
    };
    // SAFETY: a symbol of this name is a `u32` in every version of the border, and is only read.
    let version =
        unsafe { library.get::<*const u32>(ABI_SYMBOL.as_bytes()).map(|found| found.read()) };
    let version = version.map_err(|_| missing(ABI_SYMBOL))?;
    if version != ABI_VERSION {
        return Err(format!(
            "it is compiled for version {version} of lasthop's laws, and this lasthop has version {ABI_VERSION}: \
             take the folder src/lasthop of a crate that this lasthop makes (`lasthop new law NAME --rust`), and \
             build it again"
        ));
    }
    // SAFETY: in this version a symbol of this name is a `Plugin`, of whose functions those that are missing are null.
    let plugin =
        unsafe { library.get::<*const Plugin>(LAW_SYMBOL.as_bytes()).map(|found| found.read()) };
    let plugin = plugin.map_err(|_| missing(LAW_SYMBOL))?;
    let calls = calls(&plugin).ok_or("one of its functions is missing (a null pointer)")?;
    let name = text(plugin.name).ok_or("the law has no name")?;
    // It is never closed: the functions in `calls` stay where they are.
    std::mem::forget(library);
    let (timeout_leaves, model_based) = (plugin.timeout_leaves, plugin.model_based != 0);
    Ok(Loaded { calls, name, timeout_leaves, model_based })
}

fn calls(plugin: &Plugin) -> Option<Calls> {
    Some(Calls {
        create: plugin.create?,
        copy: plugin.copy?,
        destroy: plugin.destroy?,
        on_ack: plugin.on_ack?,
        on_loss: plugin.on_loss?,
        on_recovered: plugin.on_recovered?,
        on_idle: plugin.on_idle?,
        trouble: plugin.trouble?,
    })
}

/// A text of a library's; none where it is null, empty, too long or no UTF-8.
fn text(words: Words) -> Option<String> {
    if words.start.is_null() || !(1..=LONGEST).contains(&words.length) {
        return None;
    }
    // SAFETY: it is not null, and the library keeps as many bytes there for as long as it is loaded.
    let bytes = unsafe { std::slice::from_raw_parts(words.start, words.length) };
    String::from_utf8(bytes.to_vec()).ok()
}

/// The state of one flow's law, which the library made and keeps.
pub struct State {
    calls: &'static Calls,
    pointer: NonNull<c_void>,
}

// SAFETY: a law is `Send` and `Sync`, which the crate's side of the border asks of it. Here it is called through `&mut`,
// and copied through `&`.
unsafe impl Send for State {}
// SAFETY: as above.
unsafe impl Sync for State {}

impl State {
    /// Makes the law of a flow; and its pacing rate, segments/s.
    ///
    /// # Errors
    /// What the law says.
    pub fn create(
        loaded: &'static Loaded,
        options: &[(&str, f64)],
    ) -> Result<(State, Option<f64>), String> {
        let calls = &loaded.calls;
        let words = |name: &str| Words { start: name.as_ptr(), length: name.len() };
        let options: Vec<RawOption> = options
            .iter()
            .map(|(name, value)| RawOption { name: words(name), value: *value })
            .collect();
        let mut came = Came { pace: 0.0, how: FREE };
        // SAFETY: the options, as many as are told, and their names hold during the call, and `came` is ours alone.
        let made = unsafe { (calls.create)(options.as_ptr(), options.len(), &mut came) };
        let state = State::made(calls, made)?;
        Ok((state, (came.how == PACED).then_some(came.pace)))
    }

    /// Makes a copy.
    ///
    /// # Errors
    /// What the law says.
    pub fn copy(&self) -> Result<State, String> {
        // SAFETY: the pointer is one that `create` or `copy` gave, and `destroy` has not been called on it.
        let made = unsafe { (self.calls.copy)(self.pointer.as_ptr()) };
        State::made(self.calls, made)
    }

    fn made(calls: &'static Calls, made: *mut c_void) -> Result<State, String> {
        match NonNull::new(made) {
            Some(pointer) => Ok(State { calls, pointer }),
            None => Err(trouble(calls)),
        }
    }

    /// Tells of an acknowledgement, and returns the pacing rate, segments/s, as the others do.
    ///
    /// # Errors
    /// What the law says.
    #[inline]
    pub fn on_ack(&mut self, w: &mut Window, ack: &Ack) -> Result<Option<f64>, String> {
        let told: *const RawAck = std::ptr::from_ref(ack).cast();
        // SAFETY: the pointer as in `copy`; what is lent holds during the call. An `Ack` has the layout of a `RawAck` and
        // more behind it, as asserted where it is declared.
        let came = unsafe { (self.calls.on_ack)(self.pointer.as_ptr(), w, told) };
        self.well(came)
    }

    /// Tells of a loss.
    ///
    /// # Errors
    /// What the law says.
    pub fn on_loss(&mut self, w: &mut Window, why: Loss, base: f64) -> Result<Option<f64>, String> {
        // SAFETY: as in `on_ack`.
        let came = unsafe { (self.calls.on_loss)(self.pointer.as_ptr(), w, why, base) };
        self.well(came)
    }

    /// Tells that a recovery has ended.
    ///
    /// # Errors
    /// What the law says.
    pub fn on_recovered(&mut self, w: &mut Window) -> Result<Option<f64>, String> {
        // SAFETY: as in `on_ack`.
        let came = unsafe { (self.calls.on_recovered)(self.pointer.as_ptr(), w) };
        self.well(came)
    }

    /// Tells of a time without sending.
    ///
    /// # Errors
    /// What the law says.
    pub fn on_idle(&mut self, w: &mut Window) -> Result<Option<f64>, String> {
        // SAFETY: as in `on_ack`.
        let came = unsafe { (self.calls.on_idle)(self.pointer.as_ptr(), w) };
        self.well(came)
    }

    #[inline]
    fn well(&self, came: Came) -> Result<Option<f64>, String> {
        match came.how {
            FREE => Ok(None),
            PACED => Ok(Some(came.pace)),
            _ => Err(trouble(self.calls)),
        }
    }
}

impl Drop for State {
    fn drop(&mut self) {
        // SAFETY: the pointer as in `copy`, and this is its last use.
        unsafe { (self.calls.destroy)(self.pointer.as_ptr()) };
    }
}

/// What a law says about its last call on this thread.
#[cold]
fn trouble(calls: &Calls) -> String {
    let mut bytes = vec![0_u8; LONGEST];
    // SAFETY: as many bytes as are told are ours.
    let length = unsafe { (calls.trouble)(bytes.as_mut_ptr(), bytes.len()) };
    bytes.truncate(length.min(LONGEST));
    let said = String::from_utf8_lossy(&bytes).trim().to_owned();
    if said.is_empty() { "the law fails and does not say why".to_owned() } else { said }
}
