/** O mesmo que `require('catp')`. */
export { chaosOf, executable, start } from './index.cjs';
