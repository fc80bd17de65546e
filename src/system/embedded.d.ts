/** Types of the embedded files. */
declare module '*.sql' {
  const text: string;
  export default text;
}

declare module '*.png' {
  /** Path of the embedded file. */
  const path: string;
  export default path;
}

declare module '*.md' {
  const text: string;
  export default text;
}
