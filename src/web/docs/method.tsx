import type { JSX } from 'preact';

export function Method({ name }: { readonly name: string }): JSX.Element {
  return <span class={`method ${name.toLowerCase()}`}>{name}</span>;
}
