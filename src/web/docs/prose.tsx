import type { JSX } from 'preact';

/** Renders paragraphs and `code`, the only marks in our descriptions. */
export function Prose({ text }: { readonly text: string }): JSX.Element {
  const paragraphs = text.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== '');
  return (
    <>
      {paragraphs.map((paragraph) => (
        <p key={paragraph} class="prose">
          <Line text={paragraph} />
        </p>
      ))}
    </>
  );
}

const HELP_PATH = /(\/ajuda\/[a-z-]+)/;

/** Renders one line: `code`, and paths of the handbook as links. */
export function Line({ text }: { readonly text: string }): JSX.Element {
  // Between backticks, every second piece is code.
  return (
    <>
      {text
        .split('`')
        .map((piece, at) =>
          at % 2 === 1 ? <code key={at}>{piece}</code> : <Linked key={at} text={piece} />,
        )}
    </>
  );
}

function Linked({ text }: { readonly text: string }): JSX.Element {
  return (
    <>
      {text.split(HELP_PATH).map((piece, at) =>
        at % 2 === 1 ? (
          <a key={at} href={piece}>
            {piece}
          </a>
        ) : (
          piece
        ),
      )}
    </>
  );
}
