/** The analyser in plain JavaScript; the package declares the types of its default entry only. */
declare module 'recheck/lib/browser.js' {
  export { checkSync } from 'recheck';
}
