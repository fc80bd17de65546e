/** Shows the source of automatic table updates, and what happens to a new table. */
import type { JSX } from 'preact';
import type { AttributeTableOrigin } from '../api/answers.ts';
import { useResource } from '../api/use-resource.ts';
import { LastFetch } from '../ui/last-fetch.tsx';
import { TABLES } from './words.ts';

/** Renders nothing when no source is configured. */
export function Origin(): JSX.Element | null {
  const { value } = useResource<AttributeTableOrigin>(`${TABLES}/origin`);
  if (value === undefined) return null;
  return (
    <LastFetch origin={value} subject="A tabela">
      {value.activates === 'sozinha'
        ? 'Uma tabela nova entra em vigor automaticamente, a não ser que lhe falte muito do que a atual tem.'
        : 'Uma tabela nova espera que alguém a ponha em vigor.'}
    </LastFetch>
  );
}
