/** Compares two tables: totals first; each total expands to its items. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { AttributeTableDifference, RequiredPair } from '../api/answers.ts';
import { Notice } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { Ncm, NcmDescription } from '../ui/ncm.tsx';
import { countText, withCount } from '../words.ts';
import type { Changes } from './words.ts';

const INITIAL_ROWS = 60;

export function DifferenceView(props: { readonly difference: AttributeTableDifference }) {
  const { from, to, ncms, attributes, requiredPairs } = props.difference;
  const changes = [ncms, attributes, requiredPairs];
  const isSame = changes.every(({ added, removed, changed }) =>
    [added, removed, changed].every((items) => items.length === 0),
  );
  if (from === null)
    return (
      <Notice tone="calm">
        Nenhuma tabela está em vigor: com a {to} começam a valer as regras de{' '}
        {withCount(ncms.added.length, 'NCM', 'NCMs')}.
      </Notice>
    );
  if (isSame)
    return (
      <Notice tone="good">
        A tabela {to} pede o mesmo que a {from}, que está em vigor.
      </Notice>
    );
  return (
    <div class="attributes-difference">
      <Kind title="NCMs" changes={ncms} textOf={NcmLink} changedOf={NcmLink} />
      <Kind
        title="Atributos"
        changes={attributes}
        textOf={(codigo) => <code>{codigo}</code>}
        changedOf={({ atributo, members }) => (
          <>
            <code>{atributo}</code> <span class="muted">{members.join(', ')}</span>
          </>
        )}
      />
      <Kind title="Obrigatórios de uma NCM" changes={requiredPairs} textOf={PairText} changedOf={PairText} />
    </div>
  );
}

export const NcmLink = (ncm: string) => (
  <>
    <Link href={`/atributos?aba=ncm&ncm=${ncm}`}>
      <Ncm code={ncm} />
    </Link>{' '}
    <NcmDescription code={ncm} />
  </>
);

const PairText = ({ ncm, atributo, modalidade }: RequiredPair) => (
  <>
    {NcmLink(ncm)} <code>{atributo}</code> <span class="muted">{modalidade}</span>
  </>
);

interface KindProps<Item, Changed> {
  readonly title: string;
  readonly changes: Changes<Item, Changed>;
  readonly textOf: (item: Item) => JSX.Element;
  readonly changedOf: (item: Changed) => JSX.Element;
}

export function Kind<Item, Changed>({ title, changes, textOf, changedOf }: KindProps<Item, Changed>) {
  const { added, removed, changed } = changes;
  return (
    <section>
      <h3>{title}</h3>
      <List words={['a mais', 'a mais']} items={added.map(textOf)} />
      <List words={['a menos', 'a menos']} items={removed.map(textOf)} />
      <List words={['muda', 'mudam']} items={changed.map(changedOf)} />
    </section>
  );
}

function List(props: { readonly words: readonly [string, string]; readonly items: readonly JSX.Element[] }) {
  const [singular, plural] = props.words;
  const { items } = props;
  const [isOpen, setOpen] = useState(false);
  const visibleItems = isOpen ? items : items.slice(0, INITIAL_ROWS);
  if (items.length === 0) return <p class="muted">nada {singular}</p>;
  return (
    <details>
      <summary>
        <strong>{countText(items.length)}</strong> {items.length === 1 ? singular : plural}
      </summary>
      <ul class="plain">
        {visibleItems.map((item, index) => (
          <li key={index}>{item}</li>
        ))}
      </ul>
      {visibleItems.length < items.length && (
        <Button small onPress={() => setOpen(true)}>
          Mostrar mais {countText(items.length - visibleItems.length)}
        </Button>
      )}
    </details>
  );
}
