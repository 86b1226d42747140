import type { Page } from 'playwright-core';
import { vi } from 'vitest';

const SELECT_ALL = 'ControlOrMeta+a';

/** The actions of a person who uses GraphiQL. */
export class Graphiql {
  constructor(private readonly page: Page) {}

  /** Opens the tab with the name of this operation. */
  async open(tab: string): Promise<void> {
    await this.ready();
    await this.page.getByRole('button', { name: tab, exact: true }).click();
    await this.taken('title', tab);
  }

  async writeQuery(text: string): Promise<void> {
    await this.write('.graphiql-query-editor .monaco-editor', text);
    await this.taken('query', text);
  }

  async writeHeaders(headers: Record<string, string>): Promise<void> {
    await this.writeTool('Headers', JSON.stringify(headers));
  }

  async writeVariables(variables: Record<string, unknown>): Promise<void> {
    const text = JSON.stringify(variables);
    await this.writeTool('Variables', text);
    await this.taken('variables', text);
  }

  /** Starts the operation, or stops the running operation. */
  async press(button: 'Execute query' | 'Stop query'): Promise<void> {
    await this.ready();
    await this.page.getByRole('button', { name: button }).click();
  }

  /** The shown result, without its spaces, because the editor adds spaces. */
  async result(): Promise<string> {
    const lines = await this.page.locator('.result-window .view-line').allTextContents();
    return lines.join('').replaceAll(/\s/g, '');
  }

  /** Waits for the editors. Before they are shown, GraphiQL forgets what a person chooses or runs. */
  private async ready(): Promise<void> {
    for (const editor of ['.graphiql-query-editor', '.result-window']) {
      await this.page.locator(`${editor} .view-line`).first().waitFor({ state: 'attached' });
    }
  }

  /** Waits until GraphiQL has stored an input. It stores each input after a short delay. */
  private async taken(member: 'title' | 'query' | 'variables', text: string): Promise<void> {
    const stored = async () => {
      const { tabs, activeTabIndex } = JSON.parse(
        await this.page.evaluate<string>("localStorage['graphiql:tabState'] ?? '{}'"),
      ) as { tabs?: Record<string, string>[]; activeTabIndex: number };
      return tabs?.[activeTabIndex]?.[member];
    };
    await vi.waitUntil(async () => (await stored()) === text, { timeout: 15_000 });
  }

  private async writeTool(name: string, text: string): Promise<void> {
    await this.page.getByRole('button', { name, exact: true }).click();
    await this.write('.graphiql-editor-tool .graphiql-editor:not(.hidden) .monaco-editor', text);
  }

  private async write(editor: string, text: string): Promise<void> {
    await this.page.locator(editor).first().click();
    await this.page.keyboard.press(SELECT_ALL);
    await this.page.keyboard.press('Delete');
    // The text is inserted like a paste, because the editor would complete typed text.
    await this.page.keyboard.insertText(text);
  }
}
