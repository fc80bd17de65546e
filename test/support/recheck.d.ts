/** The analyser in plain JavaScript; the package declares only the types of its default entry. */
declare module 'recheck/lib/browser.js' {
  export { checkSync } from 'recheck';
}
