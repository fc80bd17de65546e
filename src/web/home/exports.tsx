import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { exportPath, type Api, type ExportKind } from '../api.ts';
import { Notice, save, words } from '../ui.tsx';

const EXPORTS: readonly { readonly kind: ExportKind; readonly title: string; readonly about: string }[] = [
  { kind: 'produto', title: 'Produtos', about: 'A versão vigente de cada produto, com seus atributos.' },
  {
    kind: 'operador-estrangeiro',
    title: 'Operadores estrangeiros',
    about: 'Fabricantes e fornecedores do exterior.',
  },
  { kind: 'fabricante', title: 'Vínculos', about: 'Que fabricante ou produtor faz cada produto.' },
];

export function Exports({ api, company }: { readonly api: Api; readonly company: string }): JSX.Element {
  const [withDeactivated, setWithDeactivated] = useState(false);
  const [busy, setBusy] = useState<ExportKind>();
  const [outcome, setOutcome] = useState<{ readonly tone: 'good' | 'bad'; readonly text: string }>();

  const fetchExport = async (kind: ExportKind): Promise<void> => {
    setBusy(kind);
    setOutcome(undefined);
    try {
      const file = await api.download(exportPath(kind, company, withDeactivated), `${kind}.zip`);
      save(file);
      setOutcome({ tone: 'good', text: `${file.name} baixado.` });
    } catch (fault) {
      setOutcome({ tone: 'bad', text: words(fault) });
    } finally {
      setBusy(undefined);
    }
  };

  return (
    <section class="card exports" aria-labelledby="exports-title">
      <h2 id="exports-title">Exportar</h2>
      <ul>
        {EXPORTS.map(({ kind, title, about }) => (
          <li key={kind}>
            <div>
              <h3>{title}</h3>
              <p class="muted">{about}</p>
            </div>
            <button
              type="button"
              class="quiet"
              disabled={busy !== undefined || company === ''}
              aria-label={`Exportar ${title.toLowerCase()}`}
              onClick={() => void fetchExport(kind)}
            >
              {busy === kind ? 'Gerando…' : 'Baixar'}
            </button>
          </li>
        ))}
      </ul>
      <label class="check">
        <input
          type="checkbox"
          checked={withDeactivated}
          onChange={({ currentTarget }) => setWithDeactivated(currentTarget.checked)}
        />
        <span>Incluir produtos e operadores desativados</span>
      </label>
      {outcome !== undefined && <Notice tone={outcome.tone}>{outcome.text}</Notice>}
    </section>
  );
}
