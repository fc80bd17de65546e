/** Product form for a new product, copy, draft, version or rectification. It renders inside a page. */
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { Product, ProductForm } from '../../api/answers.ts';
import { useRight } from '../../api/session.ts';
import { useGo } from '../../api/use-go.ts';
import { addressOfProposal } from '../../aprovar/propose-record.ts';
import { toast } from '../../ui/toast.tsx';
import { useResource } from '../../api/use-resource.ts';
import { Notice, ErrorAlert } from '../../ui/alert.tsx';
import { ResourceView, Card } from '../../ui/page.tsx';
import { numberText } from '../../words.ts';
import { Actions, Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { instead } from '../../ui/form.tsx';
import { Skeleton } from '../../ui/progress.tsx';
import { NewerVersions } from '../../versions/newer-versions.tsx';
import { EMPTY, type FormMode, type Saved, valuesFrom } from './form-values.ts';
import { AttributeFields, KeptAttributes } from './attribute-fields.tsx';
import { Identity } from './identity.tsx';
import type { Subject } from './send.ts';
import { isUnknownNcm } from './use-ncm.ts';
import { type ProductFormOptions, type ProductFormState, useProductForm } from './use-product-form.ts';

export interface ProductFormProps {
  readonly cpfCnpjRaiz: string;
  readonly mode: FormMode;
  /** Code of the edited or copied product. */
  readonly codigo?: number | string;
  /** Version to start from; defaults to the current one. */
  readonly versao?: string;
  /** True to show all problems at their fields immediately. */
  readonly showProblems?: boolean;
  readonly onSaved: (saved: Saved) => void;
  readonly onCancel: () => void;
}

export function ProductForm(props: ProductFormProps) {
  const { cpfCnpjRaiz, mode, codigo, versao } = props;
  const go = useGo();
  const isOfDraft = mode !== 'versao' && mode !== 'retificar';
  const mayWrite = useRight('preenchimento', cpfCnpjRaiz);
  const onProposed = (id: number): void => {
    toast(`Proposta ${id} enviada; quem pode aprovar a vê em Aprovar.`);
    go(addressOfProposal(cpfCnpjRaiz, id));
  };
  const rules = useResource<ProductForm>(mayWrite ? '/appliance/api/product-form' : undefined);
  const product = useProduct(mayWrite ? cpfCnpjRaiz : '', codigo, versao);
  if (!mayWrite)
    return (
      <Notice tone="warn">
        <p>
          O seu usuário não {isOfDraft ? 'inclui' : 'altera'} produtos no catálogo da empresa{' '}
          <code>{numberText(cpfCnpjRaiz)}</code>: isso faz quem a representa no perfil IMPEXP com o papel de
          preenchimento ou de aprovação.
        </p>
      </Notice>
    );
  return (
    <ResourceView resource={rules}>
      {(rulesAnswer) =>
        codigo === undefined ? (
          <FormBody
            {...props}
            onProposed={onProposed}
            subject={{ cpfCnpjRaiz, mode }}
            rules={rulesAnswer}
            initial={EMPTY}
            from={undefined}
          />
        ) : (
          <ResourceView resource={product}>
            {(answer) => {
              const from = Array.isArray(answer) ? answer[0] : answer;
              return from === undefined ? (
                <Notice tone="warn">
                  <p>
                    O produto <code>{codigo}</code> não existe na empresa{' '}
                    <code>{numberText(cpfCnpjRaiz)}</code>.
                  </p>
                </Notice>
              ) : (
                <LoadedProductForm {...props} onProposed={onProposed} from={from} rules={rulesAnswer} />
              );
            }}
          </ResourceView>
        )
      }
    </ResourceView>
  );
}

function LoadedProductForm({
  from,
  ...props
}: ProductFormProps & {
  readonly from: Product;
  readonly rules: ProductForm;
  readonly onProposed: (id: number) => void;
}) {
  const mode = modeFor(props.mode, from);
  const { codigo, versao } = from;
  const subject = { cpfCnpjRaiz: props.cpfCnpjRaiz, mode, ...(mode !== 'copia' && { codigo, versao }) };
  return <FormBody {...props} subject={subject} initial={valuesFrom(from, mode)} from={from} />;
}

/**
 * Returns the mode for a product. A copy stays a copy, a draft is edited as a draft, and a product that is no
 * longer a draft gets a version.
 */
function modeFor(requestedMode: FormMode, { situacao }: Product): FormMode {
  if (requestedMode === 'copia') return requestedMode;
  if (situacao === 'RASCUNHO') return 'rascunho';
  return requestedMode === 'rascunho' ? 'versao' : requestedMode;
}

/** Fetches that version, or the current one from the list. */
function useProduct(cpfCnpjRaiz: string, codigo: number | string | undefined, versao: string | undefined) {
  const isRequested = cpfCnpjRaiz !== '' && codigo !== undefined;
  const path = versao === undefined ? '' : `/${cpfCnpjRaiz}/${codigo}/${versao}`;
  return useResource<Product | readonly Product[] | undefined>(
    isRequested ? `/catp/api/ext/produto${path}` : undefined,
    versao === undefined ? { query: { cpfCnpjRaiz, codigo } } : {},
  );
}

function FormBody(props: ProductFormOptions & { readonly onCancel: () => void }) {
  const { subject, rules, onCancel } = props;
  const state = useProductForm(props);
  const { form, saving, save } = state;
  const { formRef, error } = form;
  const [isLeaving, setLeaving] = useState(false);
  const hasDrafts = ['novo', 'copia', 'rascunho'].includes(subject.mode);
  const mayActivate = useRight('aprovacao', subject.cpfCnpjRaiz);
  const twin = error?.problems.find(({ about }) => about?.twin !== undefined)?.about?.twin;
  return (
    <form
      class="product-form"
      ref={formRef}
      noValidate
      onSubmit={instead(() => save(mayActivate ? 'final' : 'propose'))}
    >
      <About {...subject} />
      {state.isRestored && (
        <Notice tone="calm">
          <p>O que você tinha digitado aqui, e ainda não foi salvo, está de volta.</p>
          <Button small onPress={state.startAgain}>
            Começar de novo
          </Button>
        </Notice>
      )}
      <Card title="Identificação">
        <Identity form={form} rules={rules} mode={subject.mode} />
      </Card>
      <Card title="Atributos">
        <Attributes state={state} company={subject.cpfCnpjRaiz} table={rules.attributeTable} />
      </Card>
      <ErrorAlert error={error} />
      <NewerVersions newer={state.newer} onSave={() => save(mayActivate ? 'final' : 'propose')} />
      {twin !== undefined && (
        <p>
          <Link href={`/produtos/${subject.cpfCnpjRaiz}/${twin}`}>
            Abrir o produto {twin}, que é idêntico
          </Link>
        </p>
      )}
      <Actions>
        <Button type="submit" kind="primary" isBusy={saving === 'final' || saving === 'propose'}>
          {!mayActivate ? 'Propor' : hasDrafts ? 'Salvar e ativar' : 'Salvar'}
        </Button>
        {hasDrafts && (
          <Button isBusy={saving === 'draft'} onPress={() => save('draft')}>
            Salvar rascunho
          </Button>
        )}
        <Button kind="bare" onPress={() => (form.changed ? setLeaving(true) : onCancel())}>
          Cancelar
        </Button>
      </Actions>
      {isLeaving && (
        <Confirm
          title="Deixar sem salvar?"
          action="Descartar"
          danger
          onConfirm={() => {
            form.reset();
            onCancel();
          }}
          onClose={() => setLeaving(false)}
        >
          <p>O que você mudou aqui ainda não foi salvo, e se perde.</p>
        </Confirm>
      )}
    </form>
  );
}

const ABOUT: { readonly [mode in FormMode]?: string } = {
  copia: 'Uma cópia é um produto novo, com código próprio. Os códigos internos não são copiados.',
  versao: 'A nova versão substitui todo o conteúdo do produto a partir de hoje, e o deixa ativado.',
  retificar: 'NCM e modalidade não mudam; para mudá-las, inclua uma nova versão.',
  rascunho: 'Um rascunho só precisa da denominação. Ao ativar, tudo é conferido.',
};

const About = ({ mode, versao }: Subject) =>
  ABOUT[mode] === undefined ? null : (
    <p class="muted">
      {mode === 'retificar' && `A retificação corrige a versão ${versao} para toda a vigência dela. `}
      {ABOUT[mode]}
    </p>
  );

function Attributes(props: {
  readonly state: ProductFormState;
  readonly company: string;
  readonly table: string | null;
}) {
  const { state, company, table } = props;
  const { form, requirements, context, deadlines, keptLists } = state;
  if (context !== undefined && table !== null)
    return (
      <AttributeFields
        company={company}
        context={context}
        deadlines={deadlines}
        table={table}
        errorAt={form.errorAt}
        filled={form.values.attributes}
        onFilled={(change, ...places) =>
          form.set(({ attributes }) => ({ attributes: change(attributes) }), ...places)
        }
      />
    );
  if (requirements.isLoading) return <Skeleton />;
  return (
    <>
      {table === null ? (
        <p class="muted">
          Nenhuma tabela de atributos está em vigor nesta instância, e sem ela não se sabe que atributos há: o
          produto é salvo com os que já tem, sem conferi-los. Para mudá-los, um administrador carrega a tabela
          em Atributos; a API e um arquivo em Importar aceitam qualquer atributo enquanto não há uma.
        </p>
      ) : isUnknownNcm(requirements.error) ? (
        <Notice tone="warn">
          <p>{requirements.error?.message} O produto só pode ser salvo como rascunho.</p>
        </Notice>
      ) : requirements.error !== undefined ? (
        <ErrorAlert error={requirements.error} onRetry={requirements.reload} />
      ) : (
        <p class="muted">
          {requirements.prepared === undefined
            ? 'Informe a NCM e a modalidade: os atributos que elas pedem aparecem aqui.'
            : 'Escolha a modalidade: os atributos que a NCM pede nela aparecem aqui.'}
        </p>
      )}
      <KeptAttributes lists={keptLists} />
    </>
  );
}
