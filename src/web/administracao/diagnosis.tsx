/** Shows readiness and the findings of `catp doctor`. */
import { useState } from 'preact/hooks';
import type { EmailTest, Finding, Readiness } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { useForm } from '../api/use-form.ts';
import { useResource } from '../api/use-resource.ts';
import { readableSentence } from '../sentences.ts';
import { Notice, type Tone } from '../ui/alert.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Input } from '../ui/field.tsx';
import { LineForm } from '../ui/form.tsx';
import type { IconName } from '../ui/icon.tsx';
import { Card, ResourceView } from '../ui/page.tsx';
import { Table } from '../ui/table.tsx';
import { useSetting } from './provider-kinds.ts';

const CHECKS: Readonly<Record<string, string>> = {
  integrity: 'Integridade',
  'foreign-keys': 'Referências',
  schema: 'Esquema',
  durability: 'Durabilidade',
  permissions: 'Permissões',
  folders: 'Pastas',
  disk: 'Disco',
  clock: 'Relógio',
  tls: 'TLS',
  'attribute-table': 'Tabela de atributos',
  nomenclature: 'Nomenclatura',
  backup: 'Cópia de segurança',
  drill: 'Teste de restauração',
  audit: 'Auditoria',
  replica: 'Réplica',
  email: 'E-mail',
  provider: 'Provedor de entrada',
  receivers: 'Destinos',
  settings: 'Configurações',
};

const LEVELS: Readonly<Record<Finding['level'], readonly [words: string, tone: Tone, icon: IconName]>> = {
  ok: ['Em ordem', 'good', 'check'],
  notice: ['Aviso', 'calm', 'info'],
  warning: ['Atenção', 'warn', 'alert'],
  error: ['Erro', 'bad', 'cross'],
};

/** Most severe first. */
const ORDER: readonly Finding['level'][] = ['error', 'warning', 'notice', 'ok'];

export function Diagnosis() {
  const readiness = useResource<Readiness>('/readyz');
  const doctor = useResource<readonly Finding[]>('/appliance/api/doctor');
  const mailServer = useSetting('email.servidor');
  return (
    <div class="stack">
      <Card title="Prontidão">
        <ResourceView resource={readiness} lines={2}>
          {(state) => <Ready {...state} />}
        </ResourceView>
      </Card>
      <Card
        title="O que o catp doctor acha"
        actions={
          <Button isBusy={doctor.isLoading} onPress={doctor.reload}>
            Conferir de novo
          </Button>
        }
      >
        <ResourceView resource={doctor} lines={8}>
          {(findings) => (
            <Table
              caption="Achados"
              columns={[
                { key: 'level', title: 'Estado', cell: ({ level }) => <LevelBadge level={level} /> },
                { key: 'check', title: 'O que se confere', cell: ({ check }) => CHECKS[check] ?? check },
                { key: 'message', title: 'O que se viu', cell: (finding) => <Message {...finding} /> },
              ]}
              rows={findings.toSorted((a, b) => ORDER.indexOf(a.level) - ORDER.indexOf(b.level))}
              rowKey={({ check, message }) => `${check} ${message}`}
            />
          )}
        </ResourceView>
      </Card>
      {Boolean(mailServer) && <EmailTester />}
    </div>
  );
}

/** Sends a test message, and shows what the server did with it. */
function EmailTester() {
  const form = useForm({ to: '' });
  const [result, setResult] = useState<EmailTest>();
  const send = async (): Promise<void> => {
    setResult(undefined);
    setResult(await form.submit((values) => api.post<EmailTest>('/appliance/api/email/test', values)));
  };
  return (
    <Card title="E-mail">
      <LineForm form={form} verb="Enviar teste" onSend={send}>
        <Input
          label="Endereço"
          help="O servidor responde em até 30 segundos."
          required
          max={254}
          {...form.field('to')}
        />
      </LineForm>
      {result !== undefined && <Notice tone={result.ok ? 'good' : 'bad'}>{result.message}</Notice>}
    </Card>
  );
}

const Ready = ({ ready, version, perfil, attributeTable, notices }: Readiness) => (
  <div class="stack">
    <Notice tone={ready ? 'good' : 'bad'}>
      {ready ? 'O serviço aceita gravações.' : 'O serviço não aceita gravações agora.'} Versão {version},
      perfil {perfil},{' '}
      {attributeTable === null
        ? 'nenhuma tabela de atributos em vigor.'
        : `tabela de atributos ${attributeTable.versao}.`}
    </Notice>
    {notices.map((notice) => (
      <Notice key={notice} tone="warn">
        {readableSentence(notice)}
      </Notice>
    ))}
  </div>
);

function LevelBadge({ level }: Pick<Finding, 'level'>) {
  const [words, tone, icon] = LEVELS[level];
  return (
    <Badge tone={tone} icon={icon}>
      {words}
    </Badge>
  );
}

const Message = ({ message, remedy }: Finding) => (
  <>
    <p>{readableSentence(message)}</p>
    {remedy !== null && (
      <p class="muted">
        <strong>O que fazer:</strong> {remedy}
      </p>
    )}
  </>
);
