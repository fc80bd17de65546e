/** Lists the active rules with their hit counts, and the header that makes one request fail. */
import { useState } from 'preact/hooks';
import type { FaultRule } from '../../api/answers.ts';
import { api } from '../../api/api.ts';
import { useAction } from '../../api/use-action.ts';
import { useResource } from '../../api/use-resource.ts';
import { ErrorAlert } from '../../ui/alert.tsx';
import { Actions, Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { Card, ResourceTable } from '../../ui/page.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { countText } from '../../words.ts';
import { FAULT_KINDS, type FaultKind, NEW_RULE, criteriaText, faultText, turnsText } from './rule.ts';
import { NewRuleDialog } from './rule-dialog.tsx';

const PATH = '/appliance/api/faults';

/** Refresh interval of the counters. */
const POLL_MS = 2000;

export function FaultsTab() {
  const rules = useResource<readonly FaultRule[]>(PATH, { pollAfter: () => POLL_MS });
  const [isAdding, setAdding] = useState(false);
  const removeOne = useAction((id: number) => api.delete(`${PATH}/${id}`), rules.reload);
  const columns = columnsWith((id) => void removeOne.run(id));
  return (
    <div class="stack requests-faults">
      <Card
        title="Regras de falha"
        actions={
          <>
            <Button kind="primary" icon="plus" onPress={() => setAdding(true)}>
              Nova regra
            </Button>
            <ConfirmButton
              label="Excluir todas"
              disabled={(rules.value ?? []).length === 0}
              title="Excluir todas as regras?"
              action="Excluir"
              danger
              send={() => api.delete(PATH)}
              doneText="Nenhuma falha é mais simulada por regra."
              onDone={rules.reload}
            >
              <p>As requisições voltam a ser atendidas como sempre.</p>
            </ConfirmButton>
          </>
        }
      >
        <p class="muted">
          Vale a primeira regra que combina e ainda tem vez. Nada sob <code>/appliance/api</code> falha.
        </p>
        <ErrorAlert error={removeOne.error} />
        <ResourceTable
          resource={rules}
          caption="Regras de falha"
          columns={columns}
          rowKey={({ id }) => id}
          empty="Nenhuma regra: tudo é atendido como sempre. Crie uma, ou parta de uma linha do diário."
        />
      </Card>
      <Card title="Em uma só requisição">
        <p>
          O cabeçalho <code>X-Simular-Falha</code> faz falhar só a requisição que o leva.
        </p>
        <Table caption="Cabeçalhos" columns={HEADERS} rows={FAULT_KINDS} rowKey={({ kind }) => kind} />
      </Card>
      {isAdding && (
        <NewRuleDialog initial={NEW_RULE} onClose={() => setAdding(false)} onAdded={rules.reload} />
      )}
    </div>
  );
}

const columnsWith = (remove: (id: number) => void): readonly Column<FaultRule>[] => [
  { key: 'id', title: 'Regra', code: true, cell: ({ id }) => id },
  { key: 'fault', title: 'Falha', cell: faultText },
  { key: 'criteria', title: 'Combina com', cell: (rule) => <bdi>{criteriaText(rule)}</bdi>, code: true },
  { key: 'turns', title: 'Vezes', cell: turnsText },
  { key: 'matched', title: 'Combinou', align: 'right', cell: ({ matched }) => countText(matched) },
  { key: 'acted', title: 'Agiu', align: 'right', cell: ({ acted }) => countText(acted) },
  {
    key: 'remove',
    title: 'Ações',
    cell: ({ id }) => (
      <Button small label={`Excluir a regra ${id}`} onPress={() => remove(id)}>
        Excluir
      </Button>
    ),
  },
];

const HEADERS: readonly Column<FaultKind>[] = [
  { key: 'label', title: 'Falha', cell: ({ label }) => label },
  {
    key: 'header',
    title: 'Cabeçalho',
    cell: ({ header }) => (
      <Actions>
        <code>{header}</code>
        <CopyButton text={`X-Simular-Falha: ${header}`} label={`Copiar o cabeçalho de ${header}`} />
      </Actions>
    ),
  },
  { key: 'about', title: 'O que o cliente encontra', cell: ({ about }) => about },
];
