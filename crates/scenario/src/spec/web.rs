//! Requests and responses: the names that the keys of "web" take.

use base::named;

named! {
    /// Whose pages.
    pub enum WebModelName, "web model" {
        WebTraf = "webtraf": "ns-2's PagePool/WebTraf: pages of one object, a connection for the request and another for the object",
        Modern = "modern": "pages as in the HTTP Archive of 2024: a document and some 65 objects over 6 connections that stay",
    }
}
