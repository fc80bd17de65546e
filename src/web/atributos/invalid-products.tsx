/** Lists the active products that would become invalid, each with its reasons and a link. */
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { InvalidProduct } from '../api/answers.ts';
import { rolesOf, useSession } from '../api/session.ts';
import { Notice } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { Input } from '../ui/field.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { readableSentence } from '../sentences.ts';
import { Ncm, NcmDescription, WithNcms } from '../ui/ncm.tsx';
import { countText, withCount, numberText } from '../words.ts';
import { matching, productAddress } from './words.ts';

const STEP = 50;

export interface InvalidProductsProps {
  readonly products: readonly InvalidProduct[];
  readonly total: number;
}

export function InvalidProducts({ products, total }: InvalidProductsProps) {
  const [typedText, setTypedText] = useState('');
  const [visibleCount, setVisibleCount] = useState(STEP);
  const mayOpenProducts = rolesOf(useSession()).some((role) => role !== 'administrator');
  if (total === 0) return <Notice tone="good">Nenhum produto ativo deixaria de ser válido.</Notice>;
  const matches = products.filter(matching(typedText));
  const columns: readonly Column<InvalidProduct>[] = [
    { key: 'cpfCnpjRaiz', title: 'Raiz', code: true, cell: ({ cpfCnpjRaiz }) => numberText(cpfCnpjRaiz) },
    {
      key: 'codigo',
      title: 'Código',
      code: true,
      // An administrator cannot open a catalogue.
      cell: (product) =>
        mayOpenProducts ? <Link href={productAddress(product)}>{product.codigo}</Link> : product.codigo,
    },
    NCM_COLUMN,
    { key: 'problems', title: 'Por que', cell: ({ problems }) => <Problems problems={problems} /> },
  ];
  return (
    <>
      <Notice tone="warn">
        {withCount(total, 'produto ativo deixaria', 'produtos ativos deixariam')} de ser{' '}
        {total === 1 ? 'válido' : 'válidos'}, e o sistema {total === 1 ? 'o' : 'os'} desativaria.
      </Notice>
      <div class="filters" role="search">
        <Input
          label="Procurar nos produtos"
          type="search"
          placeholder="código, NCM ou palavras do motivo"
          value={typedText}
          onChange={setTypedText}
        />
      </div>
      <p class="muted" role="status">
        {countText(matches.length)} de {countText(products.length)}
      </p>
      <Table
        caption="Produtos que deixariam de ser válidos"
        columns={columns}
        rows={matches.slice(0, visibleCount)}
        rowKey={({ cpfCnpjRaiz, codigo }) => `${cpfCnpjRaiz}/${codigo}`}
        empty="Nenhum produto com essas palavras."
      />
      {matches.length > visibleCount && (
        <Button onPress={() => setVisibleCount(visibleCount + STEP)}>
          Mostrar mais ({countText(matches.length - visibleCount)})
        </Button>
      )}
    </>
  );
}

/** Keeps the code on one line. */
export const NCM_COLUMN = {
  key: 'ncm',
  title: 'NCM',
  cell: ({ ncm }: { readonly ncm: string }) => (
    <>
      <span class="attributes-ncm">
        <Ncm code={ncm} />
      </span>{' '}
      <NcmDescription code={ncm} />
    </>
  ),
};

const Problems = ({ problems }: Pick<InvalidProduct, 'problems'>) => (
  <ul class="plain">
    {problems.map(({ message }, index) => (
      <li key={index}>
        <WithNcms text={readableSentence(message)} />
      </li>
    ))}
  </ul>
);
