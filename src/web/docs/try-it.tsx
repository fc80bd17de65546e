/** Sends an operation of the reference: a prefilled form, its curl command, the response below. */
import { useEffect, useState } from 'preact/hooks';
import { api } from '../api/api.ts';
import { instance } from '../api/instance.ts';
import { useCurrentUser } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { useCompany } from '../api/use-company.ts';
import { useResource } from '../api/use-resource.ts';
import { ambienteName, withCount, sizeText } from '../words.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { Snippet } from '../ui/copy-button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { instead } from '../ui/form.tsx';
import { Field, Input, TextArea } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { resultOf } from '../api/result.ts';
import { DownloadButton } from '../ui/download-button.tsx';
import { parsedJson, printedJson } from '../ui/printed-json.ts';
import { curlOf } from './curl.ts';
import { valuesOfFirstRow, recordPathOf } from './example-values.ts';
import { type ExampleValues, type TryValues, initialValues, requestOf, keyOf } from './request.ts';
import { type Received, send } from './sending.ts';
import type { Trial, TrialPage, TrialParameter, ProblemCode } from './trial.ts';
import { Line } from './prose.tsx';

/** Shows the curl command, and the form on request. */
export function TryIt({ trial, problems }: TrialPage) {
  const company = useCompany();
  const [isOpen, setOpen] = useState(false);
  const [typedValues, setTypedValues] = useState<TryValues>();
  const exampleValues = useExampleValues(trial, company, isOpen);
  const record = useRecord(trial, exampleValues);
  const values = typedValues ?? initialValues(trial, exampleValues, record);
  const request = requestOf(trial, values);
  const curl = curlOf(request, location.origin);
  return (
    <div class="try">
      <Snippet label="curl" text={curl} />
      <Actions>
        <Button expanded={isOpen} onPress={() => setOpen(!isOpen)}>
          Experimentar
        </Button>
        {isOpen && typedValues !== undefined && (
          <Button kind="bare" onPress={() => setTypedValues(undefined)}>
            Voltar ao exemplo
          </Button>
        )}
      </Actions>
      {isOpen && <TryForm trial={trial} problems={problems} values={values} onChange={setTypedValues} />}
    </div>
  );
}

function TryForm(
  props: TrialPage & { readonly values: TryValues; readonly onChange: (values: TryValues) => void },
) {
  const { trial, problems, values, onChange } = props;
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
const useRecord = (trial: Trial, exampleValues: ExampleValues): ExampleRecord | undefined =>
  useResource<ExampleRecord>(recordPathOf(trial, exampleValues)).value;

interface TryFieldsProps {
  readonly trial: Trial;
  readonly values: TryValues;
  readonly onChange: (values: TryValues) => void;
  readonly onFile: (file: File | undefined) => void;
}

/** The fields of a request: parameters, body, file. */
function TryFields({ trial, values, onChange, onFile }: TryFieldsProps) {
  const { kind } = trial.body;
  const parts = Object.entries(values.parts);
  const setBody = (body: string): void => onChange({ ...values, body });
  return (
    <>
      {trial.parameters.length + parts.length > 0 && (
        <div class="try-fields">
          {trial.parameters.map((parameter) => (
            <ParameterField
              key={keyOf(parameter)}
              parameter={parameter}
              value={values.parameters[keyOf(parameter)] ?? ''}
              onChange={(value) =>
                onChange({ ...values, parameters: { ...values.parameters, [keyOf(parameter)]: value } })
              }
            />
          ))}
          {parts.map(([name, value]) => (
            <Input
              key={name}
              label={name}
              code
              value={value}
              onChange={(next) => onChange({ ...values, parts: { ...values.parts, [name]: next } })}
            />
          ))}
        </div>
      )}
      {kind === 'json' && (
        <TextArea label="Corpo" code rows={rowsOf(values.body)} value={values.body} onChange={setBody} />
      )}
      {(kind === 'form' || kind === 'file') && <FileField onFile={onFile} />}
      {kind === 'form' && (
        <TextArea
          label="Sem arquivo, este conteúdo"
          code
          rows={rowsOf(values.body)}
          value={values.body}
          onChange={setBody}
        />
      )}
    </>
  );
}

const FileField = ({ onFile }: Pick<TryFieldsProps, 'onFile'>) => (
  <Field label="Arquivo">
    {(control) => (
      <input {...control} type="file" onChange={({ currentTarget }) => onFile(currentTarget.files?.[0])} />
    )}
  </Field>
);

function ParameterField(props: {
  readonly parameter: TrialParameter;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const { name, isRequired: required, description: help, options } = props.parameter;
  const { value, onChange } = props;
  const shared = { label: name, value, onChange, ...(required && { required }) };
  if (options === undefined)
    return (
      <Input
        {...shared}
        code
        help={help}
        {...(/secret|secreta/i.test(name) && { type: 'password' as const })}
      />
    );
  return (
    <Select
      {...shared}
      help={help}
      options={[...(required ? [] : ['']), ...options].map((option) => ({ value: option, label: option }))}
    />
  );
}

const ROWS_MAX = 18;

const rowsOf = (text: string): number => Math.min(Math.max(text.split('\n').length, 3), ROWS_MAX);

/** Shows the response: status, headers, body, and an explanation of each code. */
function ReceivedAnswer(props: { readonly received: Received; readonly problems: readonly ProblemCode[] }) {
  const { status, ms, headers, text, file, isCut } = props.received;
  const { problems } = props;
  const body = displayText(text);
  return (
    <section class="try-answer" aria-label="Resposta recebida">
      <p role="status">
        <span class={`status s${String(status)[0] ?? ''}`}>{status}</span>{' '}
        <span class="muted">em {ms.toLocaleString('pt-BR')} ms</span>
        {isCut && <span class="muted">, os primeiros segundos de um fluxo sem fim</span>}
      </p>
      <CodeExplanations text={text} problems={problems} />
      {text !== '' && <Snippet label="Corpo da resposta" text={body} />}
      {file !== undefined && (
        <p>
          {file.name}, {sizeText(file.content.size)}{' '}
          <DownloadButton make={() => Promise.resolve(resultOf(file))} fallbackName={file.name}>
            Baixar
          </DownloadButton>
        </p>
      )}
      {text === '' && file === undefined && <p class="muted">Sem corpo.</p>}
      <details class="inner">
        <summary>{withCount(headers.length, 'cabeçalho', 'cabeçalhos')} da resposta</summary>
        <dl class="try-headers">
          {headers.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  );
}

/** Explains causes and remedies of the codes in an error response. */
function CodeExplanations(props: { readonly text: string; readonly problems: readonly ProblemCode[] }) {
  const { text, problems } = props;
  const codes = [...new Set(codesIn(parsedJson(text)))];
  const explained = codes.flatMap((code) => {
    const problem = problems.find((problemCode) => problemCode.code.split(', ').includes(code));
    return problem === undefined ? [] : { ...problem, code };
  });
  if (explained.length === 0) return null;
  return (
    <ul class="try-codes">
      {explained.map(({ code, meaning, remedy }) => (
        <li key={code}>
          <code>{code}</code> <Line text={meaning} /> <Line text={remedy} />
        </li>
      ))}
    </ul>
  );
}

function codesIn(body: unknown): readonly string[] {
  const { code, detail } = (body ?? {}) as { readonly code?: unknown; readonly detail?: unknown };
  const inside = Array.isArray(detail) ? detail.flatMap(codesIn) : [];
  return typeof code === 'string' ? [code, ...inside] : inside;
}

/** Longer texts are shown unformatted: formatting would slow the page, and nobody reads them. */
const FORMATTED_MAX = 200_000;

const displayText = (text: string): string =>
  text.length > FORMATTED_MAX || parsedJson(text) === undefined ? text : printedJson(text).lines.join('\n');
