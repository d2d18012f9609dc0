//! IFC models: read, structure, properties, queries, and the STEP writer.
