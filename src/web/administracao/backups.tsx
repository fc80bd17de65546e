/** Lists the backups with the age of the last one, creates a backup, and verifies that it can be restored. */
import { useState } from 'preact/hooks';
import type { BackupList, DrillResult, ListedBackup } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { useAction } from '../api/use-action.ts';
import { useResource } from '../api/use-resource.ts';
import { ErrorAlert, Notice } from '../ui/alert.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { Card, ResourceView } from '../ui/page.tsx';
import { Table } from '../ui/table.tsx';
import { toast } from '../ui/toast.tsx';
import { momentText, sizeText } from '../words.ts';
import { ageInWords } from './age.ts';

const BACKUPS = '/appliance/api/backups';

export function Backups() {
  const backups = useResource<BackupList>(BACKUPS);
  const reportAndReload = (words: string): void => {
    toast(words);
    backups.reload();
  };
  const making = useAction(
    () => api.post<ListedBackup>(BACKUPS),
    ({ file }) => reportAndReload(`Cópia ${file} feita.`),
  );
  const drilling = useAction(
    () => api.post<DrillResult>(`${BACKUPS}/drill`),
    ({ ok, file }) =>
      reportAndReload(ok ? `${file} foi restaurada e está inteira.` : 'O teste de restauração falhou.'),
  );
  const isBusy = making.isBusy || drilling.isBusy;
  return (
    <ResourceView resource={backups}>
      {({ folder, last, drill: drilled, files }) => (
        <Card
          title="Cópias de segurança"
          actions={
            <Actions>
              <Button kind="primary" isBusy={isBusy} onPress={() => void making.run()}>
                Fazer cópia agora
              </Button>
              <Button isBusy={isBusy} disabled={files.length === 0} onPress={() => void drilling.run()}>
                Testar restauração
              </Button>
            </Actions>
          }
        >
          <div class="stack">
            <ErrorAlert error={making.error ?? drilling.error} />
            {making.isBusy && <p role="status">Fazendo a cópia…</p>}
            {drilling.isBusy && <p role="status">Restaurando a cópia mais nova em uma pasta temporária…</p>}
            <LastBackup last={last} />
            <LastDrill drill={drilled} />
            <Table
              caption="Arquivos"
              columns={[
                { key: 'file', title: 'Arquivo', code: true, cell: ({ file }) => file },
                { key: 'at', title: 'Feita em', cell: ({ at }) => momentText(at) },
                { key: 'bytes', title: 'Tamanho', align: 'right', cell: ({ bytes }) => sizeText(bytes) },
              ]}
              rows={files}
              rowKey={({ file }) => file}
              empty="Nenhuma cópia nesta pasta."
            />
            <p class="muted">
              Ficam em <code>{folder}</code>. Guarde-as também em outra máquina: uma cópia no mesmo disco some
              com ele.
            </p>
          </div>
        </Card>
      )}
    </ResourceView>
  );
}

function LastBackup({ last }: { readonly last: ListedBackup | null }) {
  // A backup that finishes after the first render is new; its age is never negative.
  const [now] = useState(() => performance.timeOrigin + performance.now());
  if (last === null)
    return <Notice tone="warn">Nenhuma cópia foi feita por este servidor. Faça uma agora.</Notice>;
  const { text, isOld } = ageInWords(last.at, now);
  return (
    <Notice tone={isOld ? 'warn' : 'good'}>
      A última cópia é de {text}: {momentText(last.at)}, {sizeText(last.bytes)}.
    </Notice>
  );
}

function LastDrill({ drill }: { readonly drill: DrillResult | null }) {
  if (drill === null)
    return (
      <Notice tone="warn">
        Nenhuma cópia foi restaurada como teste ainda. Só uma restauração prova que uma cópia serve.
      </Notice>
    );
  return drill.ok ? (
    <Notice tone="good">
      O teste de restauração de {momentText(drill.at)} passou: {drill.file} está inteira.
    </Notice>
  ) : (
    <Notice tone="bad">
      O teste de restauração de {momentText(drill.at)} falhou, com {drill.file}: {drill.message}
    </Notice>
  );
}
