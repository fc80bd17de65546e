/**
 * The first table of an instance: where the public service publishes it, a fetch on request, and what comes
 * next.
 */
import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import { PUBLISHED_TABLE } from '../../catalogue/attribute/words/published.ts';
import type { LoadedAttributeTable } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { useForm } from '../api/use-form.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { Snippet } from '../ui/copy-button.tsx';
import { Input } from '../ui/field.tsx';
import { instead } from '../ui/form.tsx';
import { Card } from '../ui/page.tsx';
import { useAction } from '../api/use-action.ts';
import { TABLES } from './words.ts';

export function FirstTable({
  onLoaded,
}: {
  readonly onLoaded: (table: LoadedAttributeTable) => void;
}): JSX.Element {
  const form = useForm({ address: PUBLISHED_TABLE });
  const fetching = useAction(
    () => api.post<LoadedAttributeTable>(`${TABLES}/fetch`, { address: form.latest().address.trim() }),
    onLoaded,
  );
  return (
    <Card title="A primeira tabela">
      <form class="stack" onSubmit={instead(() => void fetching.run())}>
        <p>
          O serviço público publica a tabela de atributos por NCM no endereço abaixo, sem senha. Buscar agora
          só a carrega: depois se vê o que mudaria, e então se põe a tabela em vigor.
        </p>
        <Input {...form.field('address')} label="Endereço" code required />
        <ErrorAlert error={fetching.error} />
        <div>
          <Button type="submit" kind="primary" isBusy={fetching.isBusy}>
            Buscar agora
          </Button>
        </div>
        <p>Para que venha sozinha toda noite, grave no catp.toml e reinicie o serviço:</p>
        <Snippet
          label="catp.toml"
          text={`atributos.origem = ${JSON.stringify(form.values.address.trim())}`}
        />
        <p>
          Sem acesso à internet nesta máquina, <a href={PUBLISHED_TABLE}>baixe o arquivo</a> em outra e
          carregue-o abaixo. Depois: <Link href="/administracao?aba=contas">empresas e pessoas</Link>.
        </p>
      </form>
    </Card>
  );
}
