/** A list of accounts with a search, when it is long, and its actions. */
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { Input } from '../ui/field.tsx';
import { Card } from '../ui/page.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { counted } from '../words.ts';
import { SHOWN_FIRST, type Listed, found } from './found.ts';

export interface ListingProps<Row> {
  readonly title: string;
  /** `empresa`, `empresas` */
  readonly words: readonly [one: string, many: string];
  /** Returns the searchable text of a row. */
  readonly textOf: (row: Row) => string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  readonly empty: ComponentChildren;
  /** The button that adds a row. */
  readonly action: JSX.Element;
}

export function Listing<Row>(props: ListingProps<Row>): JSX.Element {
  const { title, words, rows, columns, rowKey, empty, action, textOf } = props;
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const { shown, hidden }: Listed<Row> = found(rows, typed, textOf, isOpen);
  return (
    <Card title={title} actions={action}>
      {rows.length > SHOWN_FIRST && (
        <Input label="Procurar nesta lista" type="search" value={typed} onChange={setTyped} />
      )}
      <Table
        caption={title}
        columns={columns}
        rows={shown}
        rowKey={rowKey}
        empty={typed === '' ? empty : 'Nada com essas palavras.'}
      />
      {hidden > 0 && <Button onPress={() => setOpen(true)}>Mostrar mais {counted(hidden, ...words)}</Button>}
    </Card>
  );
}
