/** Runs in a browser: reads the value that a page shows, with the parser of the browser. */
globalThis.readPage = (text) => {
  const answer = new DOMParser().parseFromString(text, 'text/html').querySelector('[data-answer]');
  return valueIn(answer);
};

const VALUES = 'data, time, bdi, ul, dl, table, [data-null], [data-empty]';

function valueIn(holder) {
  const found = holder.querySelector(VALUES);
  if (found.hasAttribute('data-null')) return null;
  if (found.hasAttribute('data-empty')) return [];
  switch (found.localName) {
    case 'data':
      return JSON.parse(found.value);
    case 'time':
      return found.dateTime;
    case 'bdi':
      return found.textContent;
    case 'ul':
      return [...found.children].map(valueIn);
    case 'dl':
      return membersIn([...found.children].map((row) => row.querySelector('dd')));
    default:
      return [...found.tBodies[0].rows].map((row) => membersIn([...row.cells]));
  }
}

function membersIn(holders) {
  const shown = holders.filter((holder) => holder.dataset.name !== undefined && holder.childElementCount > 0);
  return Object.fromEntries(shown.map((holder) => [holder.dataset.name, valueIn(holder)]));
}
