/** What the bundler embeds. */
declare module '*.sql' {
  const text: string;
  export default text;
}

declare module '*.png' {
  /** Where it lies. */
  const path: string;
  export default path;
}

declare module '*.md' {
  const text: string;
  export default text;
}
