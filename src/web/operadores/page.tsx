/** The foreign operators of a company: found by the API's filters, which stand in the address. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { useCompany } from '../api/use-company.ts';
import { useFilters } from '../api/use-filters.ts';
import { useResource } from '../api/use-resource.ts';
import { Situation } from '../ui/badge.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { Input } from '../ui/field.tsx';
import { Fetched, FilterBar, Page } from '../ui/page.tsx';
import { type Column, Empty } from '../ui/table.tsx';
import { VirtualTable } from '../ui/virtual-table.tsx';
import { counted } from '../words.ts';

interface Operator {
  readonly cpfCnpjRaiz: string;
  readonly codigo: string;
  readonly versao: string;
  readonly nome: string;
  readonly situacao: string;
  readonly codigoPais: string;
}

const addressOf = ({ cpfCnpjRaiz, codigo }: Operator): string =>
  `/operadores/${cpfCnpjRaiz}/${encodeURIComponent(codigo)}`;

const COLUMNS: readonly Column<Operator>[] = [
  { key: 'codigo', title: 'Código', width: 100, code: true, cell: ({ codigo }) => codigo },
  { key: 'nome', title: 'Nome', cell: (operator) => <Link href={addressOf(operator)}>{operator.nome}</Link> },
  { key: 'codigoPais', title: 'País', width: 70, cell: ({ codigoPais }) => codigoPais },
  { key: 'versao', title: 'Versão', width: 90, code: true, cell: ({ versao }) => versao },
  {
    ...{ key: 'situacao', title: 'Situação', width: 140 },
    cell: ({ situacao }) => <Situation situacao={situacao} />,
  },
];

export default function OperatorsPage(): JSX.Element {
  const company = useCompany();
  const [, navigate] = useLocation();
  const [filters, setFilters] = useFilters(['nome', 'paisOrigem']);
  const operators = useResource<readonly Operator[] | undefined>('/catp/api/ext/operador-estrangeiro', {
    query: { cpfCnpjRaiz: company, ...filters },
  });
  const [typed, setTyped] = useState(filters);
  return (
    <Page
      title="Operadores estrangeiros"
      actions={
        <DownloadButton
          path={`/catp/api/ext/operador-estrangeiro/exportar/${company}/false`}
          fallbackName="operadores.zip"
        >
          Exportar
        </DownloadButton>
      }
    >
      <FilterBar onFilter={() => setFilters(typed)}>
        <Input label="Nome" value={typed.nome} onChange={(nome) => setTyped({ ...typed, nome })} />
        <Input
          label="País"
          value={typed.paisOrigem}
          onChange={(paisOrigem) => setTyped({ ...typed, paisOrigem })}
        />
      </FilterBar>
      <Fetched of={operators}>
        {(found = []) =>
          found.length === 0 ? (
            <Empty>Nenhum operador com esses filtros.</Empty>
          ) : (
            <>
              <p class="muted" role="status">
                {counted(found.length, 'operador', 'operadores')}
              </p>
              <VirtualTable
                caption="Operadores estrangeiros"
                columns={COLUMNS}
                count={found.length}
                row={(index) => found[index]}
                onOpen={(operator) => navigate(addressOf(operator))}
              />
            </>
          )
        }
      </Fetched>
    </Page>
  );
}
