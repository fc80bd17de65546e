/** The page of a refused sign-in by the provider: the reason and the next step. */
import { renderToString } from 'preact-render-to-string';

export interface RefusedSignIn {
  readonly event: string;
  /** Advice for the person. */
  readonly next: string;
  /** Facts that the provider sent about the person, by label. */
  readonly received: Readonly<Record<string, string>>;
  /** Facts for administrators, by label. */
  readonly details: Readonly<Record<string, string>>;
  /** The address at which the sign-in begins. */
  readonly start: string;
}

export const REFUSED_SIGN_IN_TITLE = 'Não foi possível entrar';

/** Returns the content of `main`. */
export const refusedSignInPage = (refused: RefusedSignIn): string =>
  renderToString(<RefusedSignInPage {...refused} />);

const RefusedSignInPage = ({ event, next, received, details, start }: RefusedSignIn) => (
  <>
    <div class="page-head">
      <h1>{REFUSED_SIGN_IN_TITLE}</h1>
    </div>
    <section class="card" aria-label="O que aconteceu">
      <p>
        <strong>{event}</strong>
      </p>
      <p>{next}</p>
      <Facts facts={received} />
      <div class="actions">
        <a class="button primary" href={start}>
          Tentar de novo
        </a>
        <a class="button quiet" href="/entrar">
          Entrar de outra forma
        </a>
      </div>
      <details>
        <summary>Detalhes</summary>
        <Facts facts={details} />
      </details>
    </section>
  </>
);

function Facts({ facts }: { readonly facts: Readonly<Record<string, string>> }) {
  const entries = Object.entries(facts).filter(([, value]) => value !== '');
  if (entries.length === 0) return null;
  return (
    <dl>
      {entries.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <code>{value}</code>
          </dd>
        </div>
      ))}
    </dl>
  );
}
