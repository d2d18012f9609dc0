//! `holdpoint provider`: the scripted model server.
