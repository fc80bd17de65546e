/** A file in, and the imports there were. */
import type { JSX } from 'preact';
import { useLocation } from 'wouter-preact';
import { api } from '../api/api.ts';
import { useAction } from '../api/use-action.ts';
import { useResource } from '../api/use-resource.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { Card, Fetched, Page } from '../ui/page.tsx';
import { ImportForm, type ImportRequest } from './form.tsx';
import { IMPORTS, type Import, isOver } from './model.ts';
import { RecentImports } from './recent.tsx';

const RECENT = 5;
const LOOK_AGAIN_MS = 1000;

export default function ImportPage(): JSX.Element {
  const [, navigate] = useLocation();
  const recent = useResource<readonly Import[]>(IMPORTS, {
    query: { limit: RECENT },
    again: (imports) => (imports.every(isOver) ? undefined : LOOK_AGAIN_MS),
  });
  const starting = useAction(({ file, kind, mode, dryRun }: ImportRequest) => {
    const body = new FormData();
    body.set('tipo', kind);
    body.set('modo', mode);
    body.set('simular', String(dryRun));
    body.set('file', file);
    return api.post<{ readonly id: number }>(IMPORTS, body);
  });
  const start = async (request: ImportRequest): Promise<void> => {
    const started = await starting.run(request);
    if (started !== undefined) navigate(`/importar/${started.id}`);
  };
  return (
    <Page title="Importar" about="Produtos, operadores, vínculos e atos concessórios de um arquivo.">
      <Card title="Importar um arquivo">
        <ImportForm busy={starting.busy} onStart={(request) => void start(request)} />
        {starting.busy && <p role="status">Enviando o arquivo…</p>}
        <ErrorAlert error={starting.error} />
      </Card>
      <Card title="Importações recentes">
        <Fetched of={recent}>{(imports) => <RecentImports imports={imports} />}</Fetched>
      </Card>
    </Page>
  );
}
