"""The official fields of MjModel and MjData: which of them are ours under the same name, and what stands for those of parts that are not here (flexes, plugins, octrees).

Facts of MuJoCo 4.0. tests/app/mujoco_shim/test_fields.py compares names, types and shapes with the official structs.
"""
from types import MappingProxyType

MODEL_ARRAYS = tuple((
    "B_colind B_rowadr B_rownnz D_colind D_diag D_rowadr D_rownnz M_colind M_rowadr M_rownnz actuator_acc0 actuator_actadr actuator_actearly actuator_actlimited "
    "actuator_actnum actuator_actrange actuator_armature actuator_biasprm actuator_biastype actuator_cranklength actuator_ctrladr actuator_ctrllimited "
    "actuator_ctrlnum actuator_ctrlrange actuator_ctrlspec actuator_damping actuator_dampingpoly actuator_delay actuator_dynprm actuator_dyntype "
    "actuator_forcelimited actuator_forcerange actuator_gainprm actuator_gaintype actuator_gear actuator_group actuator_history actuator_historyadr actuator_length0 "
    "actuator_lengthrange actuator_outadr actuator_outnum actuator_trnid actuator_trntype actuator_user body_bvhadr body_bvhnum body_conaffinity body_contype "
    "body_dofadr body_dofnum body_geomadr body_geomnum body_gravcomp body_inertia body_invweight0 body_ipos body_iquat body_jntadr body_jntnum body_margin body_mass "
    "body_mocapid body_parentid body_pos body_quat body_rootid body_sameframe body_simple body_subtreemass body_treeid body_user body_weldid bvh_aabb bvh_child "
    "bvh_depth bvh_nodeid cam_bodyid cam_fovy cam_intrinsic cam_ipd cam_mat0 cam_mode cam_output cam_pos cam_pos0 cam_poscom0 cam_projection cam_quat cam_resolution "
    "cam_sensorsize cam_targetbodyid cam_user dof_M0 dof_Madr dof_armature dof_bodyid dof_damping dof_dampingpoly dof_frictionloss dof_invweight0 dof_jntid "
    "dof_length dof_parentid dof_simplenum dof_solimp dof_solref dof_treeid eq_active0 eq_data eq_obj1id eq_obj2id eq_objtype eq_solimp eq_solref eq_type "
    "exclude_signature geom_aabb geom_adhesion geom_bodyid geom_castshadow geom_conaffinity geom_condim geom_contype geom_dataid geom_fluid geom_friction geom_gap "
    "geom_group geom_margin geom_matid geom_pos geom_priority geom_quat geom_rbound geom_rgba geom_sameframe geom_size geom_solimp geom_solmix geom_solref "
    "geom_surfacevel geom_type geom_user hfield_adr hfield_data hfield_ncol hfield_nrow hfield_size jnt_actfrclimited jnt_actfrcrange jnt_actgravcomp jnt_actuatorid "
    "jnt_axis jnt_bodyid jnt_dofadr jnt_group jnt_limited jnt_margin jnt_pos jnt_qposadr jnt_range jnt_solimp jnt_solref jnt_springyield jnt_stiffness "
    "jnt_stiffnesspoly jnt_type jnt_user key_act key_ctrl key_mpos key_mquat key_qpos key_qvel key_time light_active light_ambient light_attenuation light_bodyid "
    "light_bulbradius light_castshadow light_cutoff light_diffuse light_dir light_dir0 light_exponent light_intensity light_mode light_pos light_pos0 light_poscom0 "
    "light_range light_softness light_specular light_targetbodyid light_texid light_type mapD2M mapM2D mapM2M mat_emission mat_metallic mat_reflectance mat_rgba "
    "mat_roughness mat_shininess mat_specular mat_texid mat_texrepeat mat_texuniform mesh_bvhadr mesh_bvhnum mesh_extrema mesh_face mesh_faceadr mesh_facenormal "
    "mesh_facenum mesh_facetexcoord mesh_graph mesh_graphadr mesh_normal mesh_normaladr mesh_normalnum mesh_octadr mesh_octnum mesh_polyadr mesh_polymap "
    "mesh_polymapadr mesh_polymapnum mesh_polynormal mesh_polynum mesh_polyvert mesh_polyvertadr mesh_polyvertnum mesh_pos mesh_quat mesh_scale mesh_texcoord "
    "mesh_texcoordadr mesh_texcoordnum mesh_vert mesh_vertadr mesh_vertnum numeric_adr numeric_data numeric_size pair_adhesion pair_dim pair_friction pair_gap "
    "pair_geom1 pair_geom2 pair_margin pair_signature pair_solimp pair_solref pair_solreffriction qpos0 qpos_spring sensor_adr sensor_cutoff sensor_datatype "
    "sensor_delay sensor_dim sensor_history sensor_historyadr sensor_interval sensor_intprm sensor_needstage sensor_noise sensor_objid sensor_objtype sensor_refid "
    "sensor_reftype sensor_type sensor_user site_bodyid site_dataid site_group site_matid site_pos site_quat site_rgba site_sameframe site_size site_type site_user "
    "skin_boneadr skin_bonebindpos skin_bonebindquat skin_bonebodyid skin_bonenum skin_bonevertadr skin_bonevertid skin_bonevertnum skin_bonevertweight skin_face "
    "skin_faceadr skin_facenum skin_group skin_inflate skin_matid skin_rgba skin_texcoord skin_texcoordadr skin_vert skin_vertadr skin_vertnum ten_J_colind "
    "ten_J_rowadr ten_J_rownnz tendon_actfrclimited tendon_actfrcrange tendon_actuatorid tendon_adr tendon_armature tendon_damping tendon_dampingpoly "
    "tendon_frictionloss tendon_group tendon_invweight0 tendon_length0 tendon_lengthspring tendon_limited tendon_margin tendon_matid tendon_num tendon_range "
    "tendon_rgba tendon_solimp_fri tendon_solimp_lim tendon_solref_fri tendon_solref_lim tendon_springyield tendon_stiffness tendon_stiffnesspoly tendon_treeid "
    "tendon_treenum tendon_type tendon_user tendon_width tex_adr tex_colorspace tex_data tex_height tex_nchannel tex_type tex_width text_adr text_size tree_bodyadr "
    "tree_bodynum tree_dofadr tree_dofnum tree_sleep_policy tuple_adr tuple_objid tuple_objprm tuple_objtype tuple_size wrap_objid wrap_prm wrap_type"
).split())
MODEL_SCALARS = tuple((
    "flg_adhesion flg_gravcomp flg_surfacevel nB nC nD nJmom nJten nM na nactuator nbody nbvh nbvhdynamic nbvhstatic ncam nconmax nemax neq nexclude ngeom ngravcomp "
    "nhfield nhfielddata nhistory njmax njnt nkey nlight nmat nmesh nmeshdegmax nmeshface nmeshgraph nmeshnormal nmeshpoly nmeshpolymap nmeshpolyvert nmeshtexcoord "
    "nmeshvert nmocap nnumeric nnumericdata nout npair npolygonmax nq nsensor nsensordata nsite nskin nskinbone nskinbonevert nskinface nskintexvert nskinvert "
    "ntendon ntex ntexdata ntext ntextdata ntree ntuple ntupledata nu nuser_actuator nuser_body nuser_cam nuser_geom nuser_jnt nuser_sensor nuser_site nuser_tendon "
    "nuserdata nv nwrap"
).split())
# sizes of what there is none of
MODEL_ZEROS = tuple((
    "nJfe narena nbuffer nefm0L nefm0dof nefmCvert nflex nflexbending nflexedge nflexelem nflexelemdata nflexelemedge nflexnode nflexshelldata nflexstiffness "
    "nflextexcoord nflexvert nnames_map noct npaths nplastic nplugin npluginattr npluginstate"
).split())
# (type, shape, fields): no elements, or as many as of a kind that is here, each saying that it has none (-1 for addresses)
MODEL_EMPTY = (
    ("b1", "0", "flex_centered flex_flatskin flex_rigid flexedge_rigid"),
    ("f4", "0 2", "flex_texcoord"),
    ("f4", "0 4", "flex_rgba"),
    ("f8", "0", (
        "efm0_L flex_bending flex_damping flex_edgedamping flex_edgestiffness flex_gap flex_margin flex_radius flex_solmix flex_stiffness "
        "flexedge_invweight0 flexedge_length0")),
    ("f8", "0 2", "flex_solref flex_yield"),
    ("f8", "0 3", "flex_friction flex_node flex_node0 flex_size flex_vert flex_vert0"),
    ("f8", "0 5", "flex_solimp"),
    ("f8", "0 6", "oct_aabb"),
    ("f8", "0 8", "oct_coeff"),
    ("f8", "nkey 0", "key_plastic"),
    ("i1", "0", "plugin_attr"),
    ("i4", "0", (
        "efm0_L_colind efm0_L_rowadr efm0_L_rownnz efm0_dofid efmC_perm flex_activelayers flex_bendingadr flex_bvhadr flex_bvhnum flex_conaffinity flex_condim "
        "flex_contype flex_dim flex_edgeadr flex_edgeequality flex_edgenum flex_elem flex_elemadr flex_elemdataadr flex_elemedge flex_elemedgeadr flex_elemlayer "
        "flex_elemnum flex_elemtexcoord flex_group flex_interp flex_matid flex_nodeadr flex_nodebodyid flex_nodenum flex_passive flex_plasticadr flex_plasticmode "
        "flex_priority flex_selfcollide flex_shell flex_shelldataadr flex_shellnum flex_stiffnessadr flex_texcoordadr flex_vertadr flex_vertbodyid flex_vertcell "
        "flex_vertnum flexedge_J_colind flexedge_J_rowadr flexedge_J_rownnz names_map oct_depth plugin plugin_attradr plugin_stateadr plugin_statenum")),
    ("i4", "0 2", "flex_edge flex_edgeflap"),
    ("i4", "0 3", "flex_cellnum"),
    ("i4", "0 8", "oct_child"),
    ("i4", "nactuator", "actuator_plugin"),
    ("i4", "nbody", "body_plugin"),
    ("i4", "ngeom", "geom_plugin"),
    ("i4", "nhfield", "hfield_pathadr"),
    ("i4", "njnt", "jnt_plasticadr"),
    ("i4", "nmesh", "mesh_pathadr"),
    ("i4", "nsensor", "sensor_plugin"),
    ("i4", "nskin", "skin_pathadr"),
    ("i4", "ntendon", "tendon_plasticadr"),
    ("i4", "ntex", "tex_contenttypeadr tex_pathadr"),
)
# field of addresses in `names` -> our kind of elements
NAME_ADDRESSES = MappingProxyType({
    "name_bodyadr": "body",
    "name_jntadr": "joint",
    "name_geomadr": "geom",
    "name_siteadr": "site",
    "name_camadr": "camera",
    "name_lightadr": "light",
    "name_flexadr": "",
    "name_meshadr": "mesh",
    "name_skinadr": "skin",
    "name_hfieldadr": "hfield",
    "name_texadr": "texture",
    "name_matadr": "material",
    "name_pairadr": "pair",
    "name_excludeadr": "exclude",
    "name_eqadr": "equality",
    "name_tendonadr": "tendon",
    "name_actuatoradr": "actuator",
    "name_sensoradr": "sensor",
    "name_numericadr": "numeric",
    "name_textadr": "text",
    "name_tupleadr": "tuple",
    "name_keyadr": "key",
    "name_pluginadr": "",
})

DATA_ARRAYS = tuple((
    "M act act_dot actuator_force actuator_length actuator_moment actuator_velocity body_awake body_awake_ind cacc cam_xmat cam_xpos cdof cdof_dot cfrc_ext cfrc_int "
    "cinert crb ctrl cvel dof_awake_ind efc_D efc_J efc_J_colind efc_J_rowadr efc_J_rownnz efc_KBIP efc_R efc_aref efc_b efc_diagA efc_force efc_frictionloss efc_id "
    "efc_margin efc_pos efc_state efc_type efc_vel energy eq_active geom_xmat geom_xpos geom_xquat history light_xdir light_xpos mocap_pos mocap_quat moment_colind "
    "moment_rowadr moment_rownnz parent_awake_ind qDeriv qH qHDiagInv qLD qLDiagInv qLU qacc qacc_smooth qacc_warmstart qfrc_actuator qfrc_adhesion qfrc_applied "
    "qfrc_bias qfrc_constraint qfrc_damper qfrc_fluid qfrc_gravcomp qfrc_inverse qfrc_passive qfrc_smooth qfrc_spring qpos qvel sensordata site_xmat site_xpos "
    "site_xquat solver_fwdinv solver_niter solver_nnz subtree_angmom subtree_com subtree_linvel ten_J ten_length ten_velocity ten_wrapadr ten_wrapnum tendon_efcadr "
    "tree_asleep tree_awake userdata wrap_obj wrap_xpos xanchor xaxis xfrc_applied ximat xipos xiquat xmat xpos xquat"
).split())
DATA_SCALARS = tuple((
    "flg_energypos flg_energyvel flg_rnepost flg_subtreevel maxuse_con maxuse_efc nJ nbody_awake ncon ne nefc nf nl nparent_awake ntree_awake nv_awake time"
).split())
DATA_ZEROS = tuple((
    "efm_active maxuse_arena maxuse_stack nA nY narena nbuffer nefmA nefmK nefmL nefmT nefmcon nefmdof nplugin parena pbase pstack"
).split())
DATA_EMPTY = (
    ("b1", "0", "flex_hessian_valid"),
    ("b1", "nbvh", "bvh_active"),
    ("f8", "0", (
        "efc_AR efc_Y efm_K_val efm_L efm_ak efm_as efm_c efm_ca efm_ck efm_con_val efm_diag efm_fluid efm_sdiag efm_tk efm_ts flexedge_J flexedge_length "
        "flexedge_velocity flexelem_krot flexvert_lambda iacc iacc_smooth iefc_D iefc_R iefc_aref iefc_force iefc_frictionloss ifrc_constraint ifrc_smooth plastic "
        "plugin_state")),
    ("f8", "0 3", "flexvert_xpos"),
    ("f8", "0 6", "flexelem_aabb flexvert_hessian"),
    ("f8", "0 9", "flexedge_hessian"),
    ("f8", "nbvhdynamic 6", "bvh_aabb_dyn"),
    ("i4", "0", (
        "efc_AR_colind efc_AR_rowadr efc_AR_rownnz efc_J_rowsuper efc_Y_colind efc_Y_rowadr efc_Y_rownnz efm_K_colind efm_K_rowadr efm_K_rownnz efm_aid efm_con_ind "
        "efm_dofid efm_tid flexvert_conage iefc_id iefc_state iefc_type plugin")),
    ("u8", "0", "plugin_data"),
)
