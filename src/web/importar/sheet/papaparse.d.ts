/** The form of papaparse for browsers, by its name: what the server has loaded in the same process is otherwise bundled. */
declare module 'papaparse/papaparse.min.js' {
  export { default } from 'papaparse';
}
