//! The scripted model server: plays transcripts over the providers' protocols.
