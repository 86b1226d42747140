/*
 * GraphiQL gives the role `tab` to an element with two buttons: one opens a query, and one closes it. The children of a
 * tab are presentational (WAI-ARIA 1.2, `tab`), so a screen reader would not find the buttons. This script makes the
 * elements an ordinary list of buttons.
 */

/**
 * Removes the roles of the tabs, now and after each change. GraphiQL sets `aria-selected` again each time that a
 * visitor opens another query.
 */
export function followTabs(root: Element): void {
  const options = { subtree: true, childList: true, attributeFilter: ['role', 'aria-selected'] };
  new MutationObserver(() => flatten(root)).observe(root, options);
  flatten(root);
}

function flatten(root: Element): void {
  for (const list of root.querySelectorAll('.graphiql-tabs[role]')) list.removeAttribute('role');
  for (const tab of root.querySelectorAll('.graphiql-tab[role]')) tab.removeAttribute('role');
  for (const tab of root.querySelectorAll('.graphiql-tab[aria-selected]')) {
    const isOpen = tab.getAttribute('aria-selected') ?? 'false';
    tab.removeAttribute('aria-selected');
    tab.querySelector('.graphiql-tab-button')?.setAttribute('aria-current', isOpen);
  }
}
