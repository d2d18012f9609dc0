/** A style sheet as text, as Vite brings it; the packed package has it as a module. */
declare module "*.css?inline" {
  const text: string;
  export default text;
}
