/** An asset by its address, as Vite resolves it. */
declare module "*?url" {
  const url: string;
  export default url;
}
