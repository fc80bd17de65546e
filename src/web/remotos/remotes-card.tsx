/** Lists the remotes for an administrator: how each is reached and whether authentication succeeds. */
import { useState } from 'preact/hooks';
import type { Remote, RemoteTried } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { useAction } from '../api/use-action.ts';
import { ErrorAlert, Notice } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmSending } from '../ui/dialog.tsx';
import { Card } from '../ui/page.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { ambienteName, countText, dayText, momentText, numberText } from '../words.ts';
import { remotePath, rewordSentence } from './words.ts';

interface TestedRemote {
  readonly name: string;
  readonly testResult: RemoteTried;
}

export function RemotesCard(props: {
  readonly remotes: readonly Remote[];
  readonly onEdit: (remote: Remote) => void;
  readonly onChanged: () => void;
}) {
  const { remotes, onEdit, onChanged } = props;
  const [removing, setRemoving] = useState<Remote>();
  const [testedRemote, setTestedRemote] = useState<TestedRemote>();
  const testing = useAction(
    async (name: string) => {
      setTestedRemote(undefined);
      const answer = await api.post<RemoteTried>(remotePath(name, '/test'));
      return answer.ok ? { ...answer, value: { name, testResult: answer.value } } : answer;
    },
    (answer: TestedRemote) => setTestedRemote(answer),
  );
  return (
    <Card title="Remotos configurados">
      <div class="stack">
        <ErrorAlert error={testing.error} />
        {testedRemote !== undefined && <TestOutcome {...testedRemote} />}
        <Table
          caption="Remotos configurados"
          columns={columnsFor({
            isBusy: testing.isBusy,
            onEdit,
            onRemove: setRemoving,
            onTest: (name) => void testing.run(name),
          })}
          rows={remotes}
          rowKey={({ name }) => name}
          empty={
            <>
              <p>
                <strong>Nenhum remoto ainda.</strong>
              </p>
              <p>
                Um remoto é o serviço público, ou outro catp, com que o catálogo de uma empresa é comparado.
                Inclua o primeiro com “Novo remoto”.
              </p>
            </>
          }
        />
      </div>
      {removing !== undefined && (
        <ConfirmSending
          title={`Excluir o remoto ${removing.name}?`}
          action="Excluir"
          danger
          send={() => api.delete(remotePath(removing.name))}
          doneText={`Remoto ${removing.name} excluído.`}
          onDone={onChanged}
          onClose={() => setRemoving(undefined)}
        >
          <p>
            Também são removidos o segredo, as comparações e a correspondência entre os registros daqui e os
            de lá. Os dois catálogos continuam como estão.
          </p>
        </ConfirmSending>
      )}
    </Card>
  );
}

interface RemoteActions {
  readonly isBusy: boolean;
  readonly onTest: (name: string) => void;
  readonly onEdit: (remote: Remote) => void;
  readonly onRemove: (remote: Remote) => void;
}

const idOf = ({ name }: Remote): string => `remoto-${name}`;

const columnsFor = ({ isBusy, onTest, onEdit, onRemove }: RemoteActions): readonly Column<Remote>[] => [
  { key: 'name', title: 'Nome', cell: (remote) => <strong id={idOf(remote)}>{remote.name}</strong> },
  {
    key: 'companies',
    title: 'Empresas',
    code: true,
    cell: ({ companies }) =>
      companies.map((company) => (
        <div key={company} class="remote-whole">
          {numberText(company)}
        </div>
      )),
  },
  { key: 'url', title: 'Endereço', cell: ({ url }) => url ?? <span class="muted">por arquivos</span> },
  { key: 'credential', title: 'Entra com', cell: credentialInWords },
  {
    key: 'rules',
    title: 'Limites',
    cell: ({ rules, perHour, downtime }) =>
      [
        rules === 'portal' ? 'do serviço público' : 'da especificação',
        perHour === undefined ? '' : `${countText(perHour)} por hora`,
        downtime == null ? '' : `parada ${downtime}`,
      ]
        .filter((text) => text !== '')
        .join(', '),
  },
  {
    key: 'do',
    title: 'Ações',
    cell: (remote) => (
      <div class="remote-acts">
        {remote.url !== undefined && (
          <Button small isBusy={isBusy} describedBy={idOf(remote)} onPress={() => onTest(remote.name)}>
            Testar
          </Button>
        )}
        <Button small describedBy={idOf(remote)} onPress={() => onEdit(remote)}>
          Editar
        </Button>
        <Button small kind="danger" describedBy={idOf(remote)} onPress={() => onRemove(remote)}>
          Excluir
        </Button>
      </div>
    ),
  },
];

function credentialInWords({ url, certificate, clientId }: Remote): string {
  if (url === undefined) return '–';
  return certificate == null ? `chave ${clientId ?? ''}` : certificateInWords(certificate);
}

const certificateInWords = ({ subject, notAfter }: NonNullable<Remote['certificate']>): string =>
  `certificado de ${/CN=([^,]+)/.exec(subject)?.[1] ?? subject}, até ${dayText(notAfter)}`;

function TestOutcome({ name, testResult }: TestedRemote) {
  const { ok, message, nome, documento, ambiente, until, certificate } = testResult;
  const identity = [nome, documento === null ? '' : numberText(documento)].filter(Boolean).join(', ');
  return (
    <Notice tone={ok ? 'good' : 'bad'}>
      <p>
        <strong>{name}:</strong> {rewordSentence(message)}
      </p>
      {ok && (
        <p>
          {[
            identity === '' ? '' : `Quem entra: ${identity}`,
            ambiente === null ? '' : `ambiente ${ambienteName(ambiente)}`,
            until === null ? '' : `sessão até ${momentText(until)}`,
            certificate === null ? '' : certificateInWords(certificate),
          ]
            .filter((text) => text !== '')
            .join('; ')}
        </p>
      )}
    </Notice>
  );
}
