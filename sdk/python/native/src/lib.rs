//! Both games inside Python.
