/** Sends an operation of the reference: a prefilled form, its curl command, the response below. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { api } from '../api/api.ts';
import { instance } from '../api/instance.ts';
import { useCurrentUser } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { useCompany } from '../api/use-company.ts';
import { useResource } from '../api/use-resource.ts';
import { ambienteName } from '../words.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { Snippet } from '../ui/copy-button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { instead } from '../ui/form.tsx';
import { curlOf } from './curl.ts';
import { valuesOfFirstRow, recordPathOf } from './example-values.ts';
import { ReceivedAnswer } from './received.tsx';
import { type ExampleValues, type TryValues, initialValues, requestOf } from './request.ts';
import { type Received, send } from './sending.ts';
import type { Trial, TrialPage } from './trial.ts';
import { TryFields } from './try-fields.tsx';

/** Shows the curl command, and the form on request. */
export function TryIt({ trial, problems }: TrialPage): JSX.Element {
  const company = useCompany();
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState<TryValues>();
  const exampleValues = useExampleValues(trial, company, isOpen);
  const record = useRecord(trial, exampleValues);
  const values = typed ?? initialValues(trial, exampleValues, record);
  const request = requestOf(trial, values);
  const curl = curlOf(request, location.origin);
  return (
    <div class="try">
      <Snippet label="curl" text={curl} />
      <Actions>
        <Button expanded={isOpen} onPress={() => setOpen(!isOpen)}>
          Experimentar
        </Button>
        {isOpen && typed !== undefined && (
          <Button kind="bare" onPress={() => setTyped(undefined)}>
            Voltar ao exemplo
          </Button>
        )}
      </Actions>
      {isOpen && <TryForm trial={trial} problems={problems} values={values} onChange={setTyped} />}
    </div>
  );
}

function TryForm({
  trial,
  problems,
  values,
  onChange,
}: TrialPage & {
  readonly values: TryValues;
  readonly onChange: (values: TryValues) => void;
}): JSX.Element {
  const session = useCurrentUser();
  const [file, setFile] = useState<File>();
  const [isConfirming, setConfirming] = useState(false);
  const [received, setReceived] = useState<Received>();
  const request = requestOf(trial, values);
  const action = useAction(() => send(request, file));
  const changes = trial.method !== 'GET' && trial.isSecured;
  const run = async (): Promise<void> => {
    setConfirming(false);
    const answer = await action.run();
    if (answer !== undefined) setReceived(answer);
  };
  return (
    <form class="try-form" onSubmit={instead(() => (changes ? setConfirming(true) : run()))}>
      <TryFields trial={trial} values={values} onChange={onChange} onFile={setFile} />
      {trial.isSecured && typeof session === 'string' && (
        <p class="muted">Sem sessão a resposta será 401: entre acima.</p>
      )}
      <Actions>
        <Button type="submit" kind="primary" isBusy={action.isBusy}>
          Enviar
        </Button>
      </Actions>
      <ErrorAlert error={action.error} />
      {received !== undefined && <ReceivedAnswer received={received} problems={problems} />}
      {isConfirming && (
        <Confirm
          title="Enviar de verdade?"
          action="Enviar"
          onConfirm={() => void run()}
          onClose={() => setConfirming(false)}
        >
          <p>
            <code>
              {request.method} {request.address}
            </code>
          </p>
          <p>
            Isto é uma gravação de verdade: o que a operação muda fica mudado nesta instância (
            {ambienteName(instance.ambiente)}).
          </p>
        </Confirm>
      )}
    </form>
  );
}

const NOTHING: ExampleValues = {};

/** Returns the selected company and an existing record. */
function useExampleValues({ source }: Trial, company: string, isEnabled: boolean): ExampleValues {
  const session = useCurrentUser();
  const [recordValues, setRecordValues] = useState(NOTHING);
  const isIn = typeof session !== 'string';
  useEffect(() => {
    if (source === undefined || !isIn || !isEnabled) return;
    const controller = new AbortController();
    const fetchExample = async (): Promise<void> => {
      const query = { limit: 1, cpfCnpjRaiz: source.isOfCompany ? company : undefined };
      const answer = await api.get(source.path, { query, signal: controller.signal });
      if (answer.ok && !controller.signal.aborted) setRecordValues(valuesOfFirstRow(source, answer.value));
    };
    void fetchExample();
    return () => controller.abort();
  }, [source, company, isIn, isEnabled]);
  return company === '' ? recordValues : { cpfCnpjRaiz: company, ...recordValues };
}

type ExampleRecord = Readonly<Record<string, unknown>>;

/** Loads the current content of the record to change. */
function useRecord(trial: Trial, exampleValues: ExampleValues): ExampleRecord | undefined {
  return useResource<ExampleRecord>(recordPathOf(trial, exampleValues)).value;
}
