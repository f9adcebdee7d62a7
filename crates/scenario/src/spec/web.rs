//! Requests and responses: the names that the keys of "web" take.

use crate::named::named;

named! {
    /// Whose pages.
    WebModelName, "web model" {
        WebTraf = "webtraf": "ns-2's PagePool/WebTraf: pages of one object, a connection for the request and another for the object",
        Modern = "modern": "pages as in the HTTP Archive of 2024: a document and some 65 objects over 6 connections that stay",
    }
    /// What the time to the next page is counted from.
    ThinkFromName, "beginning of a time" {
        PageEnd = "page_end": "the last byte of the page before",
        PageStart = "page_start": "the moment when the page before was asked for",
    }
}
