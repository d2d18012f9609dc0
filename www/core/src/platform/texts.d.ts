/** A fixture that a bundler brings as text. */
declare module "*.ifc" {
  const text: string;
  export default text;
}
