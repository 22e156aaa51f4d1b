/** The sprite that the build makes of icons.json: the URL of its file. */
declare module 'virtual:icons' {
  const url: string;
  export default url;
}
