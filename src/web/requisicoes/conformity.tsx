/**
 * Lists the requests of programs that the public service would have refused, for any profile of this
 * instance.
 */
import type { ConformityFinding, ConformityReport } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { useFilters } from '../api/use-filters.ts';
import { useResource } from '../api/use-resource.ts';
import { Actions, Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/dialog.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { Card, ResourceView } from '../ui/page.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { countText, numberText, secondText } from '../words.ts';

const PATH = '/appliance/api/conformity';

/** Refresh interval of the findings. */
const POLL_MS = 2000;

export function ConformityTab() {
  const report = useResource<ConformityReport>(PATH, { pollAfter: () => POLL_MS });
  const [, setFilters] = useFilters(['aba', 'requisicao']);
  const columns = columnsWith((id) => setFilters({ aba: '', requisicao: String(id) }));
  const isClean = (report.value?.findings ?? []).length === 0;
  return (
    <Card
      title="O que o serviço público teria recusado"
      actions={
        <>
          <DownloadButton path={`${PATH}.xml`} fallbackName="conformidade.xml">
            Baixar JUnit
          </DownloadButton>
          <ConfirmButton
            label="Começar de novo"
            disabled={isClean}
            title="Começar de novo?"
            action="Começar"
            danger
            send={() => api.delete(PATH)}
            doneText="Os achados foram esquecidos; a comparação segue daqui."
            onDone={report.reload}
          >
            <p>
              Os achados até agora somem desta página, da API e do relatório. O diário e o catálogo não mudam.
            </p>
          </ConfirmButton>
        </>
      }
    >
      <p class="muted">
        Tudo o que os programas pedem é comparado com o serviço público, seja qual for o perfil. Nada é
        recusado por isso. <a href="/ajuda/conformidade">Todas as regras</a>
      </p>
      <ResourceView resource={report}>
        {({ findings }) => (
          <Table
            caption="O que o serviço público teria recusado"
            columns={columns}
            rows={findings}
            rowKey={({ rule }) => rule}
            empty="Nada até agora: nada do que foi pedido esbarra nestas regras."
          />
        )}
      </ResourceView>
    </Card>
  );
}

const columnsWith = (open: (id: number) => void): readonly Column<ConformityFinding>[] => [
  {
    key: 'title',
    title: 'O que foi encontrado',
    cell: ({ title, remedy, until }) => (
      <>
        <a href={remedy}>{title}</a>
        {until !== null && ` (o bloqueio iria até ${secondText(until)})`}
      </>
    ),
  },
  { key: 'count', title: 'Vezes', align: 'right', cell: (row) => countText(row.count) },
  {
    key: 'users',
    title: 'De quem',
    code: true,
    cell: ({ users }) => (users.length === 0 ? '–' : users.map(numberText).join(', ')),
  },
  { key: 'lastAt', title: 'Última vez', code: true, cell: ({ lastAt }) => secondText(lastAt) },
  {
    key: 'requests',
    title: 'Requisições',
    cell: ({ requests }) => (
      <Actions>
        {requests.map((id) => (
          <Button key={id} small label={`Abrir a requisição ${id} no diário`} onPress={() => open(id)}>
            {id}
          </Button>
        ))}
      </Actions>
    ),
  },
];
