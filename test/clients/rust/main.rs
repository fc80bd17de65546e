//! Calls operations through the generated client. Prints a JSON line of each answer as its struct has it.
use catp_client::apis::{
    assinaturas_de_eventos_api as subscriptions, autenticao_api as sign_in, configuration::Configuration,
    operadores_estrangeiros_api as operators, produtos_api as products, tabelas_de_atributos_api as tables,
    vnculos_de_fabricantes_e_produtores_api as links, Error,
};
use catp_client::models::{
    product_item, product_request, ErrorBody, ForeignOperatorRequest, ManufacturerLinkRequest, ProductItem,
    ProductRequest, SubscriptionRequest,
};
use reqwest::{blocking::Client, header::HeaderMap};
use serde::Serialize;
use std::{env::var, error::Error as AnyError};

const COMPANY: &str = "12345678";

fn show<T: Serialize>(value: T) -> T {
    println!(
        "{}",
        serde_json::to_string(&value).expect("a struct of the client is JSON")
    );
    value
}

fn main() -> Result<(), Box<dyn AnyError>> {
    let mut tokens = HeaderMap::new();
    tokens.insert("Authorization", var("TOKEN")?.parse()?);
    tokens.insert("X-CSRF-Token", var("CSRF")?.parse()?);
    let catp = Configuration {
        base_path: var("CATALOGO_URL")?,
        client: Client::builder().default_headers(tokens).build()?,
        ..Configuration::new()
    };
    let unsigned = Configuration {
        client: Client::new(),
        ..catp.clone()
    };
    let content = |ncm: &str| ProductRequest::new("Caixa".into(), product_request::Modalidade::Importacao, ncm.into());

    show(sign_in::authenticate_with_key(
        &unsigned, "demo", "demo", "IMPEXP", None,
    )?);
    let product = show(products::include_product(&catp, COMPANY, content("39269090"))?);
    show(products::get_product_version(&catp, COMPANY, product.codigo, "1")?);
    show(products::list_products(
        &catp, COMPANY, None, None, None, None, None, None, None, None, None, None, None, None, None, None, None,
    )?);
    let item = |seq| ProductItem::new(seq, COMPANY.into());
    #[allow(deprecated)] // The public service discontinues batches; programs of today send them.
    show(products::batch_products(
        &catp,
        vec![
            ProductItem {
                denominacao: Some(Some("Tampa".into())),
                modalidade: Some(Some(product_item::Modalidade::Importacao)),
                ncm: Some(Some("39269090".into())),
                ..item(1)
            },
            ProductItem {
                situacao: Some(Some(product_item::Situacao::Rascunho)),
                denominacao: Some(Some("Alça".into())),
                ..item(2)
            },
            ProductItem {
                situacao: Some(Some(product_item::Situacao::Desativado)),
                codigo: Some(Some(1)),
                ..item(3)
            },
        ],
    )?);
    let work = ForeignOperatorRequest {
        email: Some(Some("werk@example.com".into())),
        ..ForeignOperatorRequest::new("Werk".into(), "Weg 1".into(), "Bonn".into())
    };
    let operator = show(operators::include_foreign_operator(&catp, COMPANY, "DE", work)?);
    show(operators::list_foreign_operators(
        &catp, COMPANY, None, None, None, None, None, None,
    )?);
    let link = ManufacturerLinkRequest {
        codigo_operador_estrangeiro: Some(Some(operator.codigo)),
        ..ManufacturerLinkRequest::new(product.codigo, true, "DE".into())
    };
    show(links::link_manufacturer(&catp, COMPANY, link)?);
    let wanted = SubscriptionRequest::new("catp-prod-alterado".into(), "https://erp.empresa.com.br/avisos".into());
    show(subscriptions::subscribe(&catp, wanted)?);
    show(subscriptions::list_subscriptions(&catp, None)?);
    show(tables::get_ncm_attributes(&catp, "39269090", None, None, None, None)?);
    let zip = products::export_products(&catp, COMPANY, false)?.bytes()?;
    show(serde_json::json!({ "bytes": zip.len() }));
    match products::include_product(&catp, COMPANY, content("00000000")) {
        Err(Error::ResponseError(refusal)) => show(serde_json::from_str::<ErrorBody>(&refusal.content)?),
        other => return Err(format!("not refused: {other:?}").into()),
    };
    // The version is missing in this answer.
    let incomplete = products::get_product_version(&catp, COMPANY, product.codigo, "1");
    show(serde_json::json!({ "refused": matches!(incomplete, Err(Error::Serde(_))) }));
    Ok(())
}
