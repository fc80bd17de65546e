/** Changes of a record: "Teor alcoólico (% vol): 11,75 → 12,25". */
import type { MemberChange } from '../api/answers.ts';
import { valueText } from '../sentences.ts';

export interface ChangesProps {
  readonly changes: readonly MemberChange[];
  /** Returns a value in readable form. */
  readonly textOf?: (member: string, value: string) => string;
  /** There was nothing before: only what is written is shown. */
  readonly isNew?: boolean;
}

export function Changes({ changes, textOf = valueText, isNew = false }: ChangesProps) {
  const text = (member: string, value: string | null): string =>
    value === null ? 'nada' : textOf(member, value);
  return (
    <ul class="plain">
      {changes.map(({ member, heading, before, after }, index) => (
        <li key={`${member} ${index}`}>
          {heading}: {!isNew && <bdi>{text(member, before)}</bdi>}
          {!isNew && ' → '}
          <bdi>{text(member, after)}</bdi>
        </li>
      ))}
    </ul>
  );
}
