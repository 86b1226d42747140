/** The initial text of the editor of headers. */
export const HEADERS = '{\n  "X-API-Key": ""\n}';

/** The tabs for a visitor who opens the page for the first time. */
export const EXAMPLES = [
  {
    query: `# Everybody may read products. Press Ctrl-Enter.
query Products($sort: [ProductSort!]) {
  products(sort: $sort, limit: 10) {
    id
    name
    priceMoney {
      amount
      currency
    }
    stock
  }
}
`,
    variables: '{\n  "sort": ["PRICE_DESC"]\n}',
    headers: HEADERS,
  },
  {
    query: `# Changes need a key, in "Headers" below.
mutation CreateProduct($name: String!, $price: Float!) {
  createProduct(name: $name, price: $price) {
    id
    name
  }
}
`,
    variables: '{\n  "name": "Chai",\n  "price": 18.5\n}',
    headers: HEADERS,
  },
  {
    query: `# A user and its orders in one answer.
# This query needs a key, in "Headers" below.
query UserWithOrders($id: ID!) {
  user(id: $id) {
    id
    name
    email
    orders {
      id
      total
      status
      createdAt
    }
  }
}
`,
    variables: '{\n  "id": "1"\n}',
    headers: HEADERS,
  },
  {
    query: `# Shows each new order, until you stop it.
# This subscription needs a key, in "Headers" below.
subscription NewOrder {
  newOrder {
    id
    total
    createdAt
  }
}
`,
    headers: HEADERS,
  },
];
