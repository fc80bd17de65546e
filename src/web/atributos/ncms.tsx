/** Lists NCMs by code and attribute name, and shows the requirements of the selected one. */
import { useCallback, useMemo } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import type { FoundNcm, NcmAttributes } from '../api/answers.ts';
import { queryOf } from '../api/client.ts';
import { useFilters } from '../api/use-filters.ts';
import { usePages } from '../api/use-pages.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { Input } from '../ui/field.tsx';
import { FilterBar, Card, ResourceView } from '../ui/page.tsx';
import { Skeleton } from '../ui/progress.tsx';
import { Select } from '../ui/select.tsx';
import { type Column, EmptyList } from '../ui/table.tsx';
import { VirtualTable } from '../ui/virtual-table.tsx';
import { useRestoreFocusOnMount } from '../ui/use-restore-focus.ts';
import { useCopyOf } from '../ui/use-copy-of.ts';
import { NcmDescription, NcmEnd } from '../ui/ncm.tsx';
import { withCount, ncmText, isFullNcm } from '../words.ts';
import { useResource } from '../api/use-resource.ts';
import { Button } from '../ui/button.tsx';
import { AttributeView } from './attribute-view.tsx';
import { attributesOfNcm, isOfProducts, isRequired, modalitiesInWords } from './describe.ts';

const MODALITIES = [
  { value: '', label: 'Todas' },
  { value: 'IMPORTACAO', label: 'Importação' },
  { value: 'EXPORTACAO', label: 'Exportação' },
] as const;

export function Ncms() {
  const [{ ncm, search, modalidade }, setFilters] = useFilters(['ncm', 'search', 'modalidade']);
  const ncmCode = ncm.replaceAll('.', '');
  const [typedText, setTypedText] = useCopyOf(search === '' ? ncmCode : search);
  const applySearch = (): void => {
    const digits = typedText.replaceAll(/[.\s]/g, '');
    if (isFullNcm(digits)) setFilters({ ncm: digits, search: '' });
    else setFilters({ ncm: '', search: /^\d+$/.test(digits) ? digits : typedText.trim() });
  };
  return (
    <div class="stack">
      <FilterBar onFilter={applySearch}>
        <Input
          label="NCM"
          help="O código, o começo dele, palavras da descrição, ou do nome de um atributo."
          value={typedText}
          onChange={setTypedText}
        />
        <Select
          label="Modalidade"
          options={MODALITIES}
          value={modalidade as (typeof MODALITIES)[number]['value']}
          onChange={(value) => setFilters({ modalidade: value })}
        />
      </FilterBar>
      {isFullNcm(ncmCode) ? (
        <NcmCard ncm={ncmCode} modalidade={modalidade} onBack={() => setFilters({ ncm: '' })} />
      ) : (
        <FoundNcms search={search} modalidade={modalidade} />
      )}
    </div>
  );
}

interface FoundNcmsProps {
  readonly search: string;
  readonly modalidade: string;
}

function FoundNcms({ search, modalidade }: FoundNcmsProps) {
  useRestoreFocusOnMount();
  const [, navigate] = useLocation();
  const addressOf = useCallback(
    (ncm: string) => `/atributos${queryOf({ aba: 'ncm', ncm, search, modalidade })}`,
    [search, modalidade],
  );
  const columns = useMemo(() => columnsFor(addressOf), [addressOf]);
  const { rows, total, need, error, isLoading, reload } = usePages<FoundNcm>('/appliance/api/ncms', {
    search,
  });
  if (error !== undefined) return <ErrorAlert error={error} onRetry={reload} />;
  if (total === undefined || (isLoading && rows.length === 0)) return <Skeleton lines={8} />;
  if (total === 0)
    return (
      <EmptyList>
        {search === ''
          ? 'Nenhuma tabela de atributos em vigor: nenhuma NCM pede nada.'
          : `Nenhuma NCM com “${search}”. Procure pelo começo do código, ou por outra palavra.`}
      </EmptyList>
    );
  return (
    <>
      <p class="muted" role="status">
        {withCount(total, 'NCM', 'NCMs')}
      </p>
      <VirtualTable
        caption="NCMs encontradas"
        columns={columns}
        count={total}
        row={(index) => rows[index]}
        onOpen={({ ncm }) => navigate(addressOf(ncm))}
        onVisibleRange={(_, to) => need(to)}
      />
    </>
  );
}

const columnsFor = (addressOf: (ncm: string) => string): readonly Column<FoundNcm>[] => [
  {
    key: 'ncm',
    title: 'Código',
    width: 130,
    code: true,
    cell: ({ ncm }) => <Link href={addressOf(ncm)}>{ncmText(ncm)}</Link>,
  },
  { key: 'words', title: 'O que é', cell: ({ ncm }) => <NcmDescription code={ncm} /> },
  { key: 'attributes', title: 'Atributos', width: 100, align: 'right', cell: ({ attributes }) => attributes },
  { key: 'required', title: 'Obrigatórios', width: 120, align: 'right', cell: ({ required }) => required },
  {
    key: 'matched',
    title: 'Atributos com essas palavras',
    cell: ({ matched }) => matched.map(({ nomeApresentacao }) => nomeApresentacao).join(', '),
  },
];

interface NcmCardProps {
  readonly ncm: string;
  readonly modalidade: string;
  readonly onBack: () => void;
}

/** Shows the requirements of an NCM in the table in force. */
function NcmCard({ ncm, modalidade, onBack }: NcmCardProps) {
  useRestoreFocusOnMount();
  const answer = useResource<NcmAttributes>(`/cadatributos/api/ext/atributo-ncm/${ncm}`, {
    query: { modalidade },
  });
  return (
    <Card title={`O que pede ${ncmText(ncm)}`} actions={<Button onPress={onBack}>Todas</Button>}>
      <ResourceView resource={answer} lines={8}>
        {(ncmAttributes) => {
          const attributes = attributesOfNcm(ncmAttributes);
          // Counts the same attributes as the list.
          const counting = attributes.filter(({ detail }) => isOfProducts(detail));
          const required = counting.filter(isRequired).length;
          const others = attributes.length - counting.length;
          return (
            <div class="stack">
              <p>
                <NcmDescription code={ncm} /> <NcmEnd code={ncm} />
              </p>
              <p class="muted" role="status">
                {withCount(counting.length, 'atributo', 'atributos')},{' '}
                {withCount(required, 'obrigatório', 'obrigatórios')}
                {others > 0 && ` (e ${withCount(others, 'fora do catálogo', 'fora do catálogo')})`}, na tabela{' '}
                {ncmAttributes.versao}. <Link href={`/produtos?ncm=${ncm}`}>Ver os produtos</Link>
              </p>
              {attributes.length === 0 && <EmptyList>Nenhum atributo é pedido.</EmptyList>}
              <ul class="plain attributes-list">
                {attributes.map((requiredAttribute) => (
                  <li key={requiredAttribute.detail.codigo}>
                    <AttributeView
                      detail={requiredAttribute.detail}
                      isRequired={isRequired(requiredAttribute)}
                      isMulti={requiredAttribute.pairs.some(({ multivalorado }) => multivalorado)}
                      where={modalitiesInWords(requiredAttribute)}
                    />
                  </li>
                ))}
              </ul>
            </div>
          );
        }}
      </ResourceView>
    </Card>
  );
}
