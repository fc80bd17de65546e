/** Moves the focus to the table of the page, from anywhere. */

/** Returns false if the page has no table with rows to reach. */
export function focusTable(): boolean {
  const table =
    document.querySelector<HTMLElement>('main [role=grid]') ??
    document.querySelector<HTMLElement>('main tbody :is(a, button, input)');
  table?.focus();
  return table !== null;
}
