/** The dialog that adds or changes a remote. */
import type { Company, Remote, RemoteChange } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { useCompany } from '../api/use-company.ts';
import { type Form, useForm } from '../api/use-form.ts';
import { useResource } from '../api/use-resource.ts';
import { Checkbox, Input } from '../ui/field.tsx';
import { FileDrop } from '../ui/file-drop.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Combobox } from '../ui/combobox.tsx';
import { companyOptions } from '../ui/company-options.ts';
import { Choice, Select } from '../ui/select.tsx';
import { Several } from '../ui/several.tsx';
import { toast } from '../ui/toast.tsx';
import { REMOTES, remotePath } from './words.ts';

const RULES = [
  { value: 'portal', label: 'Do serviço público' },
  { value: 'especificacao', label: 'Da especificação' },
] as const;

const CREDENTIAL_OPTIONS = [
  { value: 'key', label: 'Chave de acesso' },
  { value: 'certificate', label: 'Certificado A1' },
] as const;

/** Servers of the public service, by name. */
const PUBLIC_SERVICE = [
  { value: 'https://portalunico.siscomex.gov.br', label: 'Portal Único, produção' },
  { value: 'https://val.portalunico.siscomex.gov.br', label: 'Portal Único, treinamento' },
];

export function RemoteDialog(props: {
  /** Absent for a new remote. */
  readonly remote: Remote | undefined;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}) {
  const { remote, onSaved, onClose } = props;
  const companies = useResource<readonly Company[]>('/appliance/api/companies').value ?? [];
  const form = useForm(fieldsOf(remote, useCompany()));
  const { values } = form;
  const save = async (): Promise<void> => {
    const saved = await form.submit(async (fields) => {
      const body = await changeOf(fields);
      return remote === undefined
        ? api.post<Remote>(REMOTES, { name: fields.name.trim(), ...body })
        : api.put<Remote>(remotePath(remote.name), body);
    });
    if (saved === undefined) return;
    toast(`Remoto ${saved.name} ${remote === undefined ? 'incluído' : 'alterado'}.`);
    onSaved();
    onClose();
  };
  return (
    <FormDialog
      title={remote === undefined ? 'Novo remoto' : `Alterar ${remote.name}`}
      wide
      form={form}
      onClose={onClose}
      onSave={save}
    >
      <div class="remote-columns">
        <Input
          label="Nome"
          required
          code
          disabled={remote !== undefined}
          help="Letras minúsculas, dígitos e hífens, como portal."
          {...form.field('name')}
        />
        <Select label="Limites de lá" options={RULES} {...form.field('rules')} />
      </div>
      <Several
        label="Empresas"
        required
        help="As empresas cujo catálogo está nesse remoto."
        options={companyOptions(companies)}
        value={values.companies}
        onChange={(change) => form.set((before) => ({ companies: change(before.companies) }))}
        error={form.errorAt('companies')}
      />
      <Combobox
        free
        label="Endereço"
        placeholder="https://…"
        options={PUBLIC_SERVICE}
        help="O serviço público, ou o servidor de outra instância, sem caminho. Vazio: o remoto é comparado pelos arquivos que lá se exportam."
        {...form.field('url')}
      />
      {values.url.trim() !== '' && <ConnectionFields form={form} isKept={remote?.url !== undefined} />}
    </FormDialog>
  );
}

/** Fields for the authentication at the remote. */
function ConnectionFields({ form, isKept }: { readonly form: Form<RemoteFields>; readonly isKept: boolean }) {
  const { values } = form;
  const placeholder = isKept ? 'guardado; vazio mantém o atual' : '';
  return (
    <>
      <Choice label="Entra com" {...form.field('entersWith')} options={CREDENTIAL_OPTIONS} />
      {values.entersWith === 'key' ? (
        <div class="remote-columns">
          <Input label="Client-Id" code {...form.field('clientId')} />
          <Input
            label="Client-Secret"
            type="password"
            placeholder={placeholder}
            {...form.field('clientSecret')}
          />
        </div>
      ) : (
        <div class="remote-columns">
          <FileDrop
            title={
              isKept
                ? 'Certificado: guardado, ou outro .pfx, .p12, .pem'
                : 'Certificado .pfx, .p12 ou .pem, com sua chave'
            }
            accept=".pfx,.p12,.pem"
            files={values.certificate === undefined ? [] : [values.certificate]}
            onFiles={([certificate]) => form.set({ certificate })}
          />
          <Input
            label="Senha do arquivo"
            type="password"
            help="Não é guardada."
            {...form.field('password')}
            error={form.errorAt('password') ?? form.errorAt('certificate')}
          />
        </div>
      )}
      <FurtherSettings form={form} />
    </>
  );
}

/** The settings whose defaults fit the public service. The group is open when one of them was refused. */
function FurtherSettings({ form }: { readonly form: Form<RemoteFields> }) {
  const { values } = form;
  const isWrong = ['perHour', 'downtime', 'ca', 'otherEnvironment'].some(
    (place) => form.errorAt(place) !== undefined,
  );
  return (
    <details class="remote-more" open={isWrong}>
      <summary>Ritmo, parada, outra autoridade, outro ambiente</summary>
      <div class="remote-columns">
        <Input
          label="Requisições por hora"
          inputMode="numeric"
          required
          help="De cada operação, no máximo."
          {...form.field('perHour')}
        />
        <Input
          label="Parada diária"
          code
          placeholder="01:00-03:00"
          help="Em Brasília; nela nada sai. Vazio: não há."
          {...form.field('downtime')}
        />
      </div>
      <FileDrop
        title="Outra autoridade certificadora, só para um catp com certificado próprio: arquivo .pem"
        accept=".pem,.crt"
        files={values.ca === undefined ? [] : [values.ca]}
        onFiles={([ca]) => form.set({ ca })}
      />
      <Checkbox
        label="Aceitar um remoto de outro ambiente"
        help="Sem isto, um remoto que diz ser de outro ambiente é recusado: os códigos de atributos diferem."
        {...form.field('otherEnvironment')}
      />
    </details>
  );
}

interface RemoteFields {
  readonly name: string;
  readonly companies: readonly string[];
  readonly url: string;
  readonly entersWith: 'key' | 'certificate';
  readonly clientId: string;
  readonly clientSecret: string;
  readonly certificate: File | undefined;
  readonly password: string;
  readonly ca: File | undefined;
  readonly rules: Remote['rules'];
  readonly perHour: string;
  readonly downtime: string;
  readonly otherEnvironment: boolean;
}

const PER_HOUR = '900';

/** Converts the form of a remote to and from the API. Secrets are only sent, never read. */
const fieldsOf = (remote: Remote | undefined, company: string): RemoteFields => ({
  name: remote?.name ?? '',
  companies: remote?.companies ?? (company === '' ? [] : [company]),
  url: remote?.url ?? '',
  entersWith: remote?.certificate == null ? 'key' : 'certificate',
  clientId: remote?.clientId ?? '',
  clientSecret: '',
  certificate: undefined,
  password: '',
  ca: undefined,
  rules: remote?.rules ?? 'portal',
  perHour: String(remote?.perHour ?? PER_HOUR),
  downtime: remote?.downtime ?? '',
  otherEnvironment: remote?.otherEnvironment ?? false,
});

/** Returns the change to send. An empty secret keeps the stored one. */
async function changeOf(fields: RemoteFields): Promise<RemoteChange> {
  const { companies, rules, url, entersWith, certificate, password, ca, perHour, downtime } = fields;
  const base = { companies: [...companies], rules };
  if (url.trim() === '') return base;
  const { clientId, clientSecret, otherEnvironment } = fields;
  return {
    ...base,
    url: url.trim().replace(/\/$/, ''),
    ...(entersWith === 'key' && clientId.trim() !== '' && { clientId: clientId.trim() }),
    ...(entersWith === 'key' && clientSecret !== '' && { clientSecret }),
    ...(entersWith === 'certificate' &&
      certificate !== undefined && { certificate: await contentOf(certificate) }),
    ...(entersWith === 'certificate' && password !== '' && { password }),
    ...(ca !== undefined && { ca: await ca.text() }),
    // The server refuses invalid numbers, at their field.
    perHour: Number(perHour),
    downtime: downtime.trim() === '' ? null : downtime.trim(),
    otherEnvironment,
  };
}

/** Returns PEM unchanged and any other file (a PFX) in base64. */
async function contentOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const text = new TextDecoder().decode(bytes);
  if (text.includes('-----BEGIN')) return text;
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
