//! Bytes that go over the border: room that the caller fills, and texts that it reads.

#![allow(unsafe_code, reason = "the caller is no Rust: it hands over addresses and lengths")]

/// The length of a text is before it in this many bytes, the lowest first.
const LENGTH: usize = size_of::<u32>();

/// Allocates `length` bytes, which are zero. They are the caller's until [`give_back`].
pub fn room(length: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; length].into_boxed_slice()).cast()
}

/// Ends what [`room`] or [`text`] gave.
///
/// # Safety
/// `at` comes from there with this length in all, and nobody uses it any more.
pub unsafe fn give_back(at: *mut u8, length: usize) {
    // SAFETY: it was made from a boxed slice of that length, as the caller promises.
    drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(at, length)) });
}

/// The bytes that the caller has written.
///
/// # Safety
/// `at` comes from [`room`] with at least this length, and stays as it is for as long as they are read.
pub unsafe fn bytes<'a>(at: *const u8, length: usize) -> &'a [u8] {
    // SAFETY: the caller's promise; `room` has made every byte a number.
    unsafe { std::slice::from_raw_parts(at, length) }
}

/// A text behind its length. It is the caller's until [`give_back`], with the length of both.
pub fn text(text: &str) -> *mut u8 {
    // A text fills no memory of 32 bits: more than its length can say there is not.
    let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
    let mut bytes = Vec::with_capacity(LENGTH + text.len());
    bytes.extend_from_slice(&length.to_le_bytes());
    bytes.extend_from_slice(text.as_bytes());
    Box::into_raw(bytes.into_boxed_slice()).cast()
}

/// A value that the caller holds by its address.
pub fn held<T>(value: T) -> *mut T {
    Box::into_raw(Box::new(value))
}

/// A value that the caller holds.
///
/// # Safety
/// `at` comes from [`held`], and has not been [`taken_back`].
pub unsafe fn lent<'a, T>(at: *mut T) -> &'a mut T {
    // SAFETY: the caller's promise; a page has one thread, so nobody else looks.
    unsafe { &mut *at }
}

/// The value that the caller held.
///
/// # Safety
/// As of [`lent`]; the caller forgets the address.
pub unsafe fn taken_back<T>(at: *mut T) -> T {
    // SAFETY: the caller's promise.
    *unsafe { Box::from_raw(at) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_over_comes_back() {
        let at = room(3);
        // SAFETY: `room` gave three bytes, and nobody else has them.
        unsafe {
            at.copy_from_nonoverlapping(b"abc".as_ptr(), 3);
            assert_eq!(bytes(at, 3), b"abc");
            give_back(at, 3);
        }
        let at = text("é");
        // SAFETY: a text of two bytes follows four of its length.
        unsafe {
            assert_eq!(bytes(at, 6), [2, 0, 0, 0, 0xc3, 0xa9]);
            give_back(at, 6);
        }
        let at = held(String::from("a"));
        // SAFETY: it is held, and then no more.
        unsafe {
            lent(at).push('b');
            assert_eq!(taken_back(at), "ab");
        }
    }
}
