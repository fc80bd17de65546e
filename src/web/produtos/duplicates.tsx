/** Active products that exist more than once. */
import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import type { DuplicateGroup } from '../api/answers.ts';
import { useCompany } from '../api/use-company.ts';
import { useFilters } from '../api/use-filters.ts';
import { usePages } from '../api/use-pages.ts';
import { PagedTable } from '../kit/list/paged-table.tsx';
import { Choice } from '../ui/select.tsx';
import type { Column } from '../ui/table.tsx';
import { Ncm, NcmDescription } from '../ui/ncm.tsx';
import { counted } from '../words.ts';
import { addressOf } from './product.ts';

const BY = [
  { value: 'content', label: 'Mesmo conteúdo', hint: 'Tudo igual, fora os códigos internos.' },
  { value: 'denominacao', label: 'Mesma denominação e NCM', hint: 'Sem distinguir maiúsculas e acentos.' },
] as const;

export function Duplicates(): JSX.Element {
  const company = useCompany();
  const [{ by }, setBy] = useFilters(['by']);
  const query = { cpfCnpjRaiz: company, by: by === 'denominacao' ? 'denominacao' : 'content' } as const;
  const pages = usePages<DuplicateGroup>('/appliance/api/products/duplicates', query);
  const { rows, whole, loading } = pages;
  return (
    <div class="stack">
      <Choice
        label="São o mesmo produto os que têm"
        name="by"
        value={query.by}
        options={BY}
        onChange={(value) => setBy({ by: value === 'content' ? '' : value })}
      />
      {rows.length > 0 && (
        <p role="status" aria-busy={loading ? 'true' : undefined}>
          {whole ? '' : 'os primeiros '}
          {counted(rows.length, 'grupo de produtos repetidos', 'grupos de produtos repetidos')}
        </p>
      )}
      <PagedTable
        pages={pages}
        caption="Produtos repetidos"
        columns={columnsFor(company)}
        rowKey={({ codigos }) => codigos.join()}
        empty="Nenhum produto ativado se repete."
      />
    </div>
  );
}

const columnsFor = (cpfCnpjRaiz: string): readonly Column<DuplicateGroup>[] => [
  { key: 'ncm', title: 'NCM', code: true, cell: ({ ncm }) => <Ncm code={ncm} /> },
  { key: 'words', title: 'O que é', cell: ({ ncm }) => <NcmDescription code={ncm} /> },
  { key: 'denominacao', title: 'Denominação', cell: ({ denominacao }) => <bdi>{denominacao}</bdi> },
  { key: 'count', title: 'Quantos', align: 'right', cell: ({ codigos }) => codigos.length },
  {
    key: 'codigos',
    title: 'Códigos',
    cell: ({ codigos }) => (
      <span class="products-codes">
        {codigos.map((codigo) => (
          <Link key={codigo} href={addressOf({ cpfCnpjRaiz, codigo })}>
            {codigo}
          </Link>
        ))}
      </span>
    ),
  },
];
